import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ZipLongestTests {
    private static let pair: @Sendable (Observable<Int>, Observable<Int>) -> Observable<[Int?]> = {
        .zip(longest: $0, $1) { [$0, $1] }
    }
    private static let failing: @Sendable (Observable<Int>, Observable<Int>) -> Observable<[Int?]> = {
        .zip(longest: $0, $1) {
            if $0 == nil { throw TestError() }
            return [$0, $1]
        }
    }

    static let rules: [TwoSourceRule<[Int?]>] = [
        .init(
            "the same length", pair, of: [.next(210, 1), .completed(230)], [.next(220, 5), .completed(240)],
            is: [.next(220, [1, 5]), .completed(240)], left: (230, 240)),
        .init(
            "the second is shorter", pair,
            of: [.next(210, 1), .next(230, 2), .next(250, 3), .completed(260)], [.next(220, 5), .completed(240)],
            is: [.next(220, [1, 5]), .next(240, [2, nil]), .next(250, [3, nil]), .completed(260)], left: (260, 240)),
        .init(
            "the first is empty", pair, of: [.completed(210)], [.next(220, 5), .next(230, 6), .completed(240)],
            is: [.next(220, [nil, 5]), .next(230, [nil, 6]), .completed(240)], left: (210, 240)),
        .init(
            "several queued elements", pair,
            of: [.next(210, 1), .next(220, 2), .completed(230)], [.completed(250)],
            is: [.next(250, [1, nil]), .next(250, [2, nil]), .completed(250)], left: (230, 250)),
        .init(
            "elements are queued after the end of the other", pair,
            of: [.next(210, 1), .next(215, 2), .completed(220)],
            [.next(230, 5), .next(240, 6), .next(250, 7), .completed(260)],
            is: [.next(230, [1, 5]), .next(240, [2, 6]), .next(250, [nil, 7]), .completed(260)], left: (220, 260)),
        .init(
            "both are empty", pair, of: [.completed(210)], [.completed(220)], is: [.completed(220)], left: (210, 220)),
        .init(
            "an error drops what is queued", pair, of: [.next(210, 1)], [.error(220, TestError())],
            is: [.error(220, TestError())], left: (220, 220)),
        .init(
            "an error after the other has completed", pair, of: [.completed(210)],
            [.next(220, 5), .error(230, TestError())], is: [.next(220, [nil, 5]), .error(230, TestError())],
            left: (210, 230)),
        .init(
            "a selector that throws", failing,
            of: [.next(210, 1), .completed(220)], [.next(230, 5), .next(240, 6), .completed(250)],
            is: [.next(230, [1, 5]), .error(240, TestError())], left: (220, 240)),
        .init(
            "never", pair, of: [.next(210, 1)], [], is: [], left: (1000, 1000)),
    ]

    @Test(arguments: rules) func rule(_ rule: TwoSourceRule<[Int?]>) {
        rule.check()
    }

    private static var columns: [Observable<Int>] { [.of(1, 2, 3), .empty(), .of(5)] }
    private static let rows: [[Int?]] = [[1, nil, 5], [2, nil, nil], [3, nil, nil]]

    @Test func collectionsAndTuples() {
        #expect(emitted(by: Observable.zip(longest: Self.columns)) == Self.rows.map { .next($0) } + [.completed])
        let sums = Observable.zip(longest: Self.columns) { $0.reduce(0) { $0 + ($1 ?? 0) } }
        #expect(emitted(by: sums) == [.next(6), .next(2), .next(3), .completed])
        #expect(emitted(by: Observable<Int>.zip(longest: [Observable<Int>]())) == [.completed])
        let tuples = Observable.zip(longest: Observable.of(1), Observable.of("a", "b")).map { "\($0 ?? 0)\($1 ?? "")" }
        #expect(emitted(by: tuples) == [.next("1a"), .next("0b"), .completed])
    }

    @Test func infallibleForms() {
        let columns = Self.columns.map { $0.asInfallible(onErrorJustReturn: 0) }
        #expect(
            emitted(by: Infallible.zip(longest: columns).asObservable()) == Self.rows.map { .next($0) } + [.completed])
        let pairs = Infallible.zip(longest: Infallible.of(1, 2), Infallible.of("a")) { "\($0 ?? 0)\($1 ?? "-")" }
        #expect(emitted(by: pairs.asObservable()) == [.next("1a"), .next("2-"), .completed])
        let tuples = Infallible.zip(longest: Infallible.just(1), Infallible<Int>.empty()).map { "\($0)" }
        #expect(emitted(by: tuples.asObservable()) == [.next("(Optional(1), nil)"), .completed])
    }

    @Test func disposalInsideRowsStopsThem() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = EventLog<Int>()
        let subscription = Observable.zip(longest: first, second) { $0 ?? $1 ?? 0 }.take(2).subscribe(log)
        for value in 1...3 { first.onNext(value) }
        second.onCompleted()
        #expect(log.events == [.next(1), .next(2), .completed] && !first.hasObservers)
        subscription.dispose()
    }

    @Test func elementsThatArriveWhileRowsAreEmittedFollowThem() {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let log = Cell<[Int]>([])
        let subscription = Observable.zip(longest: first, second) { $0 ?? $1 ?? 0 }.subscribe(onNext: { value in
            log.append(value)
            if value == 1 { first.onNext(9) }
        })
        for value in 1...2 { first.onNext(value) }
        second.onCompleted()
        #expect(log.value == [1, 2, 9])
        subscription.dispose()
    }

    @Test func rowsOfSeveralThreadsAreComplete() {
        for _ in 0..<20 {
            let subjects = (0..<3).map { _ in PublishSubject<Int>() }
            let rows = Cell<[[Int?]]>([])
            let ends = Cell(0)
            let subscription = Observable.zip(longest: subjects).subscribe(
                onNext: { rows.append($0) }, onCompleted: { ends.update { $0 += 1 } })
            inParallel(3) { thread in
                for number in 0..<(100 * (thread + 1)) { subjects[thread].onNext(number) }
                subjects[thread].onCompleted()
            }
            let expected = (0..<300).map { row in (0..<3).map { row < 100 * ($0 + 1) ? row : nil } }
            #expect(rows.value == expected && ends.value == 1)
            subscription.dispose()
        }
    }
}
