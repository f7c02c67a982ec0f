import RxEngine
import RxEngineTest
import TestSupport
import Testing

struct EventTests {
    static let events: [(Event<Int>, String, Bool)] = [
        (.next(1), "next(1)", false),
        (.error(TestError("e")), "error(e)", true),
        (.completed, "completed", true),
    ]

    @Test(arguments: events) func descriptionAndIsStopEvent(event: Event<Int>, text: String, stops: Bool) {
        #expect(event.debugDescription == text)
        #expect(event.isStopEvent == stops)
        #expect(event.event == event)
    }

    @Test func elementAndErrorAreAccessible() {
        #expect(Event.next(1).element == 1)
        #expect(Event<Int>.completed.element == nil)
        #expect(Event<Int>.error(TestError("e")).error as? TestError == TestError("e"))
        #expect(Event.next(1).error == nil)
        #expect(Event<Int>.completed.isCompleted)
        #expect(!Event.next(1).isCompleted)
    }

    @Test func mapTransformsElement() {
        #expect(Event.next(1).map { "\($0)" } == .next("1"))
        #expect(Event.next(1).map { _ -> Int in throw TestError("e") } == .error(TestError("e")))
        #expect(Event<Int>.completed.map { $0 + 1 } == .completed)
        #expect(Event<Int>.error(TestError("e")).map { $0 + 1 } == .error(TestError("e")))
    }
}
