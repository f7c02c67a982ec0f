import RxEngine

// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
/// An observer that records each event, and the virtual time at which it was received.
public final class TestableObserver<Element>: ObserverType, @unchecked Sendable {
    let scheduler: TestScheduler

    /// The recorded events.
    public private(set) var events: [Recorded<Event<Element>>] = []

    init(scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// Records the event.
    public func on(_ event: Event<Element>) {
        events.append(Recorded(time: scheduler.clock, value: event))
    }
}
