import RxEngine
import RxEngineTest
import RxMarbles
import TestSupport
import Testing

@Suite(.balanced) struct MarbleExpectationTests {
    private let scheduler = TestScheduler(initialClock: 0)

    @Test func sequenceAndSubscriptionsAreExpectedAsDiagrams() {
        let source = scheduler.createColdObservable(marbles: "-1-2-|", values: .digits)
        scheduler.expect("-a-b-|", values: ["a": 10, "b": 20]) { source.map { $0 * 10 } }
        scheduler.expect(source, subscribed: "^----!")
    }

    @Test func stringsStandForThemselves() {
        let source = scheduler.createHotObservable(marbles: "a-^-b-(cd)-#")
        scheduler.expect("                                     --B-(CD)-#") { source.map { $0.uppercased() } }
        scheduler.expect(source, subscribed: "                 ^-----!")
    }

    @Test func everyKindOfSequenceCanBeExpected() {
        scheduler.expect("(a|)") { Single.just("a") }
        TestScheduler(initialClock: 0).expect("(1|)", values: .digits) { Infallible.just(1) }
    }

    @Test func observerIsComparedFromAnotherTime() {
        let observer = scheduler.createObserver(Int.self)
        _ = scheduler.createColdObservable(marbles: "-1|", values: .digits).subscribe(observer)
        scheduler.start()
        scheduler.expect(observer, toEmit: "-1|", values: .digits, startingAt: 0)
    }

    @Test func differenceIsRecordedAsTwoDiagrams() {
        let source = scheduler.createColdObservable(marbles: "-1--2|", values: .digits)
        let line = #line + 2
        let issues = recordedIssues {
            scheduler.expect("-a-b-|", values: ["a": 10, "b": 20, "z": 99]) { source.map { $0 * 10 + $0 / 2 } }
        }
        #expect(issues.map(\.line) == [line])
        #expect(
            issues.map(\.text) == [
                """
                not as expected
                expected  -a-b-|
                received  -a--c|
                differs      ^^
                at 203: expected b, received nothing
                at 204: expected nothing, received c
                a = 10
                b = 20
                c = 21
                """
            ])
    }

    @Test func valuesOfDiagramKeepTheirNames() throws {
        let source = scheduler.createColdObservable(marbles: "-a-b-#", error: TestError("refused"))
        let observer = scheduler.start { source }
        #expect(try observer.difference(from: "-a-b-#", error: TestError("refused")) == nil)
        #expect(
            try observer.difference(from: "-b-a-#")?.description == """
                expected  -b-a-#
                received  -a-b-#
                differs    ^ ^ ^
                at 201: expected b, received a
                at 203: expected a, received b
                at 205: expected the error #, received the error refused
                """)
        #expect(throws: MarbleError.self) { try observer.difference(from: ")") }
    }

    /// Different values with the same description have different names.
    @Test func valuesWithEqualDescriptionsAreDistinguished() throws {
        struct Opaque: Equatable, CustomStringConvertible, Sendable {
            let number: Int
            var description: String { "opaque" }
        }
        let source = scheduler.createColdObservable(marbles: "x", values: ["x": Opaque(number: 1)])
        let observer = scheduler.start { source }
        #expect(
            try observer.difference(from: "x", values: ["x": Opaque(number: 2)])?.description == """
                expected  x
                received  a
                differs   ^
                at 200: expected x, received a
                x = opaque
                a = opaque
                """)
    }

    @Test func subscriptionsAreRecordedAsTwoDiagramsEach() {
        let source = scheduler.createColdObservable(marbles: "-a-|")
        _ = scheduler.start { source.concat(source) }
        let issues = recordedIssues { scheduler.expect(source, subscribed: "^--!", "---^-!", "----^") }
        #expect(
            issues.map(\.text) == [
                """
                not subscribed as expected
                subscription 2
                expected  ---^-!
                received  ---^--!
                differs        ^^
                at 205: expected disposal, received nothing
                at 206: expected nothing, received disposal
                subscription 3
                expected  ----^
                received  -----
                differs       ^
                at 204: expected subscription, received nothing
                """
            ])
        #expect(
            recordedIssues { scheduler.expect(source, subscribed: "-") }.map(\.text) == [
                "marbles:1: no '^': mark the frame in which the observer subscribes"
            ])
    }

    @Test func observableWithoutSubscriptionIsExpectedWithoutDiagrams() {
        scheduler.expect(scheduler.createColdObservable(marbles: "-a"))
    }
}
