import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `take(_:)`, `take(while:)`, `take(until:)` with a predicate, and `takeLast(_:)`.
@Suite(.balanced) struct TakeTests {
    static let ints: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 3), .next(240, 1), .completed(250), .next(260, 4),
    ]

    static let table: [Rule<Int, Int>] = [
        Rule("none", { $0.take(0) }, of: ints, is: [.completed(200)], left: nil),
        Rule("some", { $0.take(2) }, of: ints, is: [.next(210, 1), .next(220, 2), .completed(220)], left: 220),
        Rule(
            "more than there are", { $0.take(9) }, of: ints,
            is: [.next(210, 1), .next(220, 2), .next(230, 3), .next(240, 1), .completed(250)], left: 250),
        Rule("of an empty source", { $0.take(1) }, of: [.completed(230)], is: [.completed(230)], left: 230),
        Rule(
            "while", { $0.take(while: { $0 < 3 }) }, of: ints, is: [.next(210, 1), .next(220, 2), .completed(230)],
            left: 230),
        Rule(
            "while, inclusive", { $0.take(while: { $0 < 3 }, behavior: .inclusive) }, of: ints,
            is: [.next(210, 1), .next(220, 2), .next(230, 3), .completed(230)], left: 230),
        Rule("while never", { $0.take(while: { _ in false }) }, of: ints, is: [.completed(210)], left: 210),
        Rule(
            "while always", { $0.take(while: { _ in true }) }, of: ints,
            is: [.next(210, 1), .next(220, 2), .next(230, 3), .next(240, 1), .completed(250)], left: 250),
        Rule(
            "until", { $0.take(until: { $0 == 2 }) }, of: ints, is: [.next(210, 1), .completed(220)], left: 220),
        Rule(
            "until, inclusive", { $0.take(until: { $0 == 2 }, behavior: .inclusive) }, of: ints,
            is: [.next(210, 1), .next(220, 2), .completed(220)], left: 220),
        Rule("the last none", { $0.takeLast(0) }, of: ints, is: [.completed(250)], left: 250),
        Rule("the last one", { $0.takeLast(1) }, of: ints, is: [.next(250, 1), .completed(250)], left: 250),
        Rule(
            "the last three", { $0.takeLast(3) }, of: ints,
            is: [.next(250, 2), .next(250, 3), .next(250, 1), .completed(250)], left: 250),
        Rule(
            "more of the last than there are", { $0.takeLast(.max) }, of: ints,
            is: [.next(250, 1), .next(250, 2), .next(250, 3), .next(250, 1), .completed(250)], left: 250),
        Rule(
            "the last before an error", { $0.takeLast(2) }, of: [.next(210, 1), .error(220, TestError())],
            is: [.error(220, TestError())], left: 220),
    ]

    @Test(arguments: table) func rules(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    @Test func endlessSourceIsStopped() {
        #expect(emitted(by: Observable.from(0...).take(2)) == [.next(0), .next(1), .completed])
        #expect(emitted(by: Observable.from(0...).take(while: { $0 < 1 })) == [.next(0), .completed])
    }

    @Test func elementEmittedInsideLastIsNotTaken() {
        let log = Cell<[Event<Int>]>([])
        let subject = PublishSubject<Int>()
        _ = subject.take(2).subscribe { event in
            log.append(event)
            if event.element == 2 { subject.onNext(3) }
        }
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.value == [.next(1), .next(2), .completed])
    }

    @Test func disposeStopsEmissionOfLastElements() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.takeLast(3).subscribe(
            onNext: {
                log.append($0)
                if $0 == 2 { handle.dispose() }
            }, onCompleted: { log.append(0) })
        for element in 1...4 { subject.onNext(element) }
        subject.onCompleted()
        #expect(log.value == [2])
    }

    @Test func takeLastReleasesOlderElements() {
        let subject = PublishSubject<Cell<Int>>()
        let subscription = subject.takeLast(1).subscribe()
        weak var first: Cell<Int>?
        do {
            let element = Cell(1)
            first = element
            subject.onNext(element)
        }
        #expect(first != nil)
        subject.onNext(Cell(2))
        #expect(first == nil)
        subscription.dispose()
    }

    @Test func negativeCountsTrap() async {
        await #expect(processExitsWith: .failure) { _ = Observable.just(1).take(-1) }
        await #expect(processExitsWith: .failure) { _ = Observable.just(1).takeLast(-1) }
        await #expect(processExitsWith: .failure) { _ = Observable.just(1).element(at: -1) }
    }
}
