import RxEngine

// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
/// An observable that tells given events, and records who subscribed when.
public final class TestableObservable<Element>: ObservableType, @unchecked Sendable {
    private let scheduler: TestScheduler
    private let isHot: Bool
    private let listeners = Listeners<Element>()

    /// The events it tells.
    public let recordedEvents: [Recorded<Event<Element>>]
    /// Who subscribed when.
    public private(set) var subscriptions: [Subscription] = []

    init(hot events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        self.scheduler = scheduler
        recordedEvents = events
        isHot = true
        for event in events {
            let event = Sent(event)
            scheduler.scheduleAt(event.value.time) { [listeners] in listeners.tell(event.value.value) }
        }
    }

    init(cold events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        self.scheduler = scheduler
        recordedEvents = events
        isHot = false
    }

    /// Subscribes `observer`, and records it.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let index = subscriptions.count
        subscriptions.append(Subscription(scheduler.clock))
        let observer = AnyObserver(observer)
        let run = isHot ? listeners.add(observer, as: index) : tell(observer)
        return Disposables.create(
            run,
            Disposables.create { [self] in
                subscriptions[index] = Subscription(subscriptions[index].subscribe, scheduler.clock)
            }
        )
    }

    /// What was scheduled stays so, for nobody: a subscriber that leaves early does not stop the clock early.
    private func tell(_ observer: AnyObserver<Element>) -> any Disposable {
        let listener = Listener(observer)
        for event in recordedEvents {
            let event = Sent(event)
            _ = scheduler.scheduleRelativeVirtual((), dueTime: event.value.time) {
                listener.observer?.on(event.value.value)
                return Disposables.create()
            }
        }
        return Disposables.create { listener.observer = nil }
    }
}

/// Whoever is subscribed to a run of a cold observable.
// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
private final class Listener<Element>: @unchecked Sendable {
    var observer: AnyObserver<Element>?

    init(_ observer: AnyObserver<Element>) {
        self.observer = observer
    }
}

/// Whoever is subscribed to a hot observable. No subject: an end is an event like any other, and whoever comes after it
/// does not hear of it.
// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
private final class Listeners<Element>: @unchecked Sendable {
    private var list: [(index: Int, observer: AnyObserver<Element>)] = []

    func add(_ observer: AnyObserver<Element>, as index: Int) -> any Disposable {
        list.append((index, observer))
        return Disposables.create { self.list.removeAll { $0.index == index } }
    }

    /// A listener that leaves while an event is being delivered receives it no more; one that comes meanwhile receives
    /// the next.
    func tell(_ event: Event<Element>) {
        for listener in list where list.contains(where: { $0.index == listener.index }) { listener.observer.on(event) }
    }
}

// Unchecked: handed from and to the one thread of a virtual scheduler.
private struct Sent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
