import RxEngine

// Unchecked: used on its virtual scheduler's thread, which the scheduler checks.
/// An observable that tells given events, and records who subscribed when.
public final class TestableObservable<Element>: ObservableType, @unchecked Sendable {
    private let scheduler: TestScheduler
    private let isHot: Bool
    private let hot = PublishSubject<Element>()

    /// The events it tells.
    public let recordedEvents: [Recorded<Event<Element>>]
    /// Who subscribed when.
    public private(set) var subscriptions: [Subscription] = []

    init(hot events: [Recorded<Event<Element>>], on scheduler: TestScheduler) {
        self.scheduler = scheduler
        recordedEvents = events
        isHot = true
        let subject = hot
        for event in events {
            let event = Sent(event)
            scheduler.scheduleAt(event.value.time) { subject.on(event.value.value) }
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
        let run = isHot ? hot.subscribe(observer) : tell(Sent(AnyObserver(observer)))
        return Disposables.create(
            run,
            Disposables.create { [self] in
                subscriptions[index] = Subscription(subscriptions[index].subscribe, scheduler.clock)
            }
        )
    }

    private func tell(_ observer: Sent<AnyObserver<Element>>) -> any Disposable {
        Disposables.create(
            recordedEvents.map { event in
                let event = Sent(event)
                return scheduler.scheduleRelativeVirtual((), dueTime: event.value.time) {
                    observer.value.on(event.value.value)
                    return Disposables.create()
                }
            }
        )
    }
}

// Unchecked: handed from and to the one thread of a virtual scheduler.
private struct Sent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
