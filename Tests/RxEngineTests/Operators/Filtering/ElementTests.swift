import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `element(at:)`, `single()`, `first()` and `ignoreElements()`.
@Suite(.balanced) struct ElementTests {
    static let ints: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)]

    static let table: [Rule<Int, Int>] = [
        Rule("at 0", { $0.element(at: 0) }, of: ints, is: [.next(210, 1), .completed(210)], left: 210),
        Rule("at 2", { $0.element(at: 2) }, of: ints, is: [.next(230, 3), .completed(230)], left: 230),
        Rule(
            "at 3, beyond the end", { $0.element(at: 3) }, of: ints,
            is: [.error(250, RxError.argumentOutOfRange)], left: 250),
        Rule(
            "single", { $0.single() }, of: [.next(210, 1), .completed(250)], is: [.next(210, 1), .completed(250)],
            left: 250),
        Rule(
            "single of more", { $0.single() }, of: ints, is: [.next(210, 1), .error(220, RxError.moreThanOneElement)],
            left: 220),
        Rule(
            "single of none", { $0.single() }, of: [.completed(250)], is: [.error(250, RxError.noElements)], left: 250),
        Rule(
            "single that is", { $0.single { $0 == 2 } }, of: ints, is: [.next(220, 2), .completed(250)], left: 250),
        Rule(
            "single that is, of more", { $0.single { $0 > 1 } }, of: ints,
            is: [.next(220, 2), .error(230, RxError.moreThanOneElement)], left: 230),
        Rule(
            "single that is, of none", { $0.single { $0 > 3 } }, of: ints, is: [.error(250, RxError.noElements)],
            left: 250),
    ]

    @Test(arguments: table) func rules(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    static let firsts: [Rule<Int, Int?>] = [
        Rule("first", { $0.first().asObservable() }, of: ints, is: [.next(210, 1), .completed(210)], left: 210),
        Rule(
            "first of none", { $0.first().asObservable() }, of: [.completed(250)],
            is: [.next(250, nil), .completed(250)], left: 250),
    ]

    @Test(arguments: firsts) func firstEmitsFirstElementOrNil(_ rule: Rule<Int, Int?>) {
        rule.check()
    }

    @Test func ignoreElementsKeepsEnd() {
        Rule<Int, Never>("", { $0.ignoreElements() }, of: Self.ints, is: [.completed(250)], left: 250).check()
    }

    @Test func reentrantElementIsNotTaken() {
        let log = Cell<[Event<Int>]>([])
        let subject = PublishSubject<Int>()
        _ = subject.element(at: 0).subscribe { event in
            log.append(event)
            subject.onNext(2)
            subject.onCompleted()
        }
        subject.onNext(1)
        #expect(log.value == [.next(1), .completed])
    }
}
