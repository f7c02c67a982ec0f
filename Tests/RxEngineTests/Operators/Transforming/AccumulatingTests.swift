import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `scan`, `reduce` and `toArray`.
@Suite(.balanced) struct AccumulatingTests {
    static let ints: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)]

    static let table: [Rule<Int, Int>] = [
        Rule(
            "scan", { $0.scan(10, accumulator: +) }, of: ints,
            is: [.next(210, 11), .next(220, 13), .next(230, 16), .completed(250)], left: 250),
        Rule("scan of none", { $0.scan(10, accumulator: +) }, of: [.completed(250)], is: [.completed(250)], left: 250),
        Rule(
            "scan in place", { $0.scan(into: 10) { $0 += $1 } }, of: ints,
            is: [.next(210, 11), .next(220, 13), .next(230, 16), .completed(250)], left: 250),
        Rule(
            "reduce", { $0.reduce(10, accumulator: +) }, of: ints, is: [.next(250, 16), .completed(250)], left: 250),
        Rule(
            "reduce of none", { $0.reduce(10, accumulator: +) }, of: [.completed(250)],
            is: [.next(250, 10), .completed(250)], left: 250),
        Rule(
            "reduce, with a result", { $0.reduce(10, accumulator: +, mapResult: { -$0 }) }, of: ints,
            is: [.next(250, -16), .completed(250)], left: 250),
        Rule(
            "a failure at the second", { $0.reduce(0) { $1 == 2 ? try fail() : $0 + $1 } }, of: ints,
            is: [.error(220, TestError())], left: 220),
    ]

    @Test(arguments: table) func rules(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    static let arrays: [Rule<Int, [Int]>] = [
        Rule(
            "all", { $0.toArray().asObservable() }, of: ints, is: [.next(250, [1, 2, 3]), .completed(250)], left: 250),
        Rule(
            "none", { $0.toArray().asObservable() }, of: [.completed(250)], is: [.next(250, []), .completed(250)],
            left: 250),
        Rule(
            "before a failure", { $0.toArray().asObservable() }, of: [.next(210, 1), .error(220, TestError())],
            is: [.error(220, TestError())], left: 220),
        Rule(
            "scan in place", { $0.scan(into: []) { $0.append($1) } }, of: ints,
            is: [.next(210, [1]), .next(220, [1, 2]), .next(230, [1, 2, 3]), .completed(250)], left: 250),
    ]

    @Test(arguments: arrays) func toArrayRules(_ rule: Rule<Int, [Int]>) {
        rule.check()
    }

    @Test func accumulatorInPlaceThatMakesItsSourceEmitTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let subject = PublishSubject<Int>()
            _ = subject.scan(into: 0) { sum, value in
                sum += value
                if value == 1 { subject.onNext(2) }
            }.subscribe()
            subject.onNext(1)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("the accumulator made its own source emit"))
    }

    @Test func observerOfScanInPlaceMayMakeItsSourceEmit() {
        let subject = PublishSubject<Int>()
        let sums = Cell<[Int]>([])
        let subscription = subject.scan(into: 0) { $0 += $1 }.subscribe(onNext: { sum in
            sums.append(sum)
            if sum == 1 { subject.onNext(2) }
        })
        subject.onNext(1)
        subject.onNext(4)
        #expect(sums.value == [1, 3, 7])
        subscription.dispose()
    }

    private static func fail() throws -> Int {
        throw TestError()
    }
}
