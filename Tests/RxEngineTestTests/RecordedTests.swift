import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite struct RecordedTests {
    @Test(arguments: [
        (Recorded(time: 1, value: 2), true),
        (Recorded(time: 2, value: 2), false),
        (Recorded(time: 1, value: 1), false),
    ]) func recordedEventsAreEqualByTimeAndValue(other: Recorded<Int>, isEqual: Bool) {
        #expect((Recorded(time: 1, value: 2) == other) == isEqual)
    }

    @Test func descriptionIsValueAtTime() {
        #expect("\(Recorded(time: 7, value: "x"))" == "x @ 7")
        #expect("\(Recorded<Event<Int>>.next(210, 1))" == "next(1) @ 210")
        #expect("\(Recorded<Event<Int>>.completed(220))" == "completed @ 220")
        #expect("\(Recorded<Event<Int>>.error(230, TestError("e")))" == "error(e) @ 230")
    }

    @Test func factoriesAreNamedLikeEvents() {
        let events = Recorded.events(.next(1, "a"), .error(2, TestError("e")))
        #expect(events == [Recorded(time: 1, value: .next("a")), Recorded(time: 2, value: .error(TestError("e")))])
        #expect(Recorded.events(events) == events)
        #expect(Recorded.completed(3, String.self) == Recorded(time: 3, value: Event<String>.completed))
        #expect(Recorded.error(3, TestError("e"), String.self).value.error is TestError)
    }
}
