import RxEngine

// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
/// An observable that emits given events, and records its subscriptions.
///
/// The virtual scheduler delivers the events. An error or completion does not end a hot observable.
public final class TestableObservable<Element>: ObservableType, @unchecked Sendable {
    let scheduler: TestScheduler
    private let isHot: Bool
    private let subscribers = HotSubscribers<Element>()

    /// The events that the observable emits.
    public let recordedEvents: [Recorded<Event<Element>>]
    /// The subscriptions so far.
    public private(set) var subscriptions: [Subscription] = []

    init(hot events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        self.scheduler = scheduler
        recordedEvents = events
        isHot = true
        for event in events {
            let event = UncheckedSendable(event)
            scheduler.scheduleAt(event.value.time) { [subscribers] in subscribers.deliver(event.value.value) }
        }
    }

    init(cold events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        self.scheduler = scheduler
        recordedEvents = events
        isHot = false
    }

    /// Subscribes `observer`, and records the subscription.
    ///
    /// Dropping the returned disposable cancels nothing.
    /// The observer is called on the thread that runs the scheduler.
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        let index = subscriptions.count
        subscriptions.append(Subscription(scheduler.clock))
        let observer = AnyObserver(observer)
        let run = isHot ? subscribers.add(observer, as: index) : startColdRun(observer)
        return Disposables.create(
            run,
            Disposables.create { [self] in
                subscriptions[index] = Subscription(subscriptions[index].subscribe, scheduler.clock)
            }
        )
    }

    /// Schedules the events for one observer.
    ///
    /// They stay scheduled after an unsubscription, without effect: a subscription that is disposed early must not stop
    /// the clock early.
    private func startColdRun(_ observer: AnyObserver<Element>) -> any Disposable {
        let subscriber = ColdSubscriber(observer)
        for event in recordedEvents {
            let event = UncheckedSendable(event)
            _ = scheduler.scheduleRelativeVirtual((), dueTime: event.value.time) {
                subscriber.observer?.on(event.value.value)
                return Disposables.create()
            }
        }
        return Disposables.create { subscriber.observer = nil }
    }
}

/// The observer of a run of a cold observable, until it unsubscribes.
// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
private final class ColdSubscriber<Element>: @unchecked Sendable {
    var observer: AnyObserver<Element>?

    init(_ observer: AnyObserver<Element>) {
        self.observer = observer
    }
}

/// The observers of a hot observable. Not a subject: an error or completion does not end it, and later subscribers do
/// not receive that event.
// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
private final class HotSubscribers<Element>: @unchecked Sendable {
    private var list: [(index: Int, observer: AnyObserver<Element>)] = []

    func add(_ observer: AnyObserver<Element>, as index: Int) -> any Disposable {
        list.append((index, observer))
        return Disposables.create { self.list.removeAll { $0.index == index } }
    }

    /// Delivers an event. An observer that unsubscribes during the delivery does not receive the event any more; one
    /// that subscribes receives the next.
    func deliver(_ event: Event<Element>) {
        for subscriber in list where list.contains(where: { $0.index == subscriber.index }) {
            subscriber.observer.on(event)
        }
    }
}

// Unchecked: passed from and to the one thread of a virtual scheduler.
private struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
