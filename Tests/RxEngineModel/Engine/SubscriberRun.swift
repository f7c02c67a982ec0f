import RxEngine

// Unchecked: used on its virtual scheduler's thread.
/// A subscriber: its subscriptions, and what it does from inside its callbacks.
final class SubscriberRun: @unchecked Sendable {
    private let source: Observable<Int>
    private let subscriber: Subscriber
    private let number: Int
    private let recorder: Recorder
    private let subjects: [AnyObserver<Int>]
    private var feedback: [Feedback]
    private let subscriptions = CompositeDisposable()
    private var subscribed = 0

    init(
        _ engine: Engine, _ source: Observable<Int>, _ subscriber: Subscriber, _ number: Int, _ feedback: [Feedback]
    ) {
        self.source = source
        self.subscriber = subscriber
        self.number = number
        self.feedback = feedback
        recorder = engine.recorder
        subjects = engine.subjects.map(\.observer)
    }

    func subscribe() {
        subscribed += 1
        let observer = RecordingObserver(self, number + 100 * (subscribed - 1))
        _ = subscriptions.insert(source.subscribe(observer))
    }

    func dispose() {
        subscriptions.dispose()
    }

    fileprivate func received(_ event: Event<Int>, _ count: Int, _ name: Int) {
        recorder.note(.event(subscriber: name, ProgramEvent(event)))
        if count == subscriber.disposesAfter || recorder.isExhausted { dispose() }
        for index in feedback.indices where feedback[index].limit > 0 && !recorder.isExhausted {
            react(to: event, index)
        }
    }

    private func react(to event: Event<Int>, _ index: Int) {
        switch (feedback[index].action, event) {
        case (.push(let subject), .next(let value)):
            feedback[index].limit -= 1
            subjects[subject].onNext((value + 1) % 10)
        case (.end(let subject), .completed), (.end(let subject), .error):
            feedback[index].limit -= 1
            subjects[subject].on(event)
        case (.resubscribe, .completed), (.resubscribe, .error):
            feedback[index].limit -= 1
            subscribe()
        default: break
        }
    }
}

// Unchecked: as above.
/// Passes a subscription's events to its subscriber.
private final class RecordingObserver: ObserverType, @unchecked Sendable {
    private let run: SubscriberRun
    private let name: Int
    private var count = 0

    init(_ run: SubscriberRun, _ name: Int) {
        self.run = run
        self.name = name
    }

    func on(_ event: Event<Int>) {
        count += 1
        run.received(event, count, name)
    }
}
