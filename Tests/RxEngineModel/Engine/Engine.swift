import RxEngine
import RxEngineTest

/// Runs programs on the engine, in virtual time.
package final class Engine {
    let scheduler = TestScheduler(initialClock: 0)
    let recorder: Recorder
    let hots: [Observable<Int>]

    private init(_ program: Program) {
        let recorder = Recorder(scheduler, limit: 20_000)
        self.recorder = recorder
        hots = program.hots.enumerated().map { [scheduler] number, events in
            Probe(
                scheduler.createHotObservable(events.map { Recorded(time: $0.tick, value: $0.event.engineEvent) }),
                recorder, began: .hotSubscribed(number), ended: .hotDisposed(number)
            ).asObservable()
        }
    }

    /// What happens when the program runs.
    package static func run(_ program: Program) -> Recording {
        let before = count
        var recording = record(program)
        if count != before { recording.leak = "\(count - before) engine objects are left" }
        return recording
    }

    private static var count: Int32 {
        #if TRACE_RESOURCES
        Resources.total
        #else
        0
        #endif
    }

    private static func record(_ program: Program) -> Recording {
        let engine = Engine(program)
        let observable = engine.observable(program.root)
        for (number, subscriber) in program.subscribers.enumerated() {
            engine.schedule(subscriber, number, observable)
        }
        engine.scheduler.start()
        return engine.recorder.recording
    }

    private func schedule(_ subscriber: Subscriber, _ number: Int, _ observable: Observable<Int>) {
        let subscription = SingleAssignmentDisposable()
        let recorder = recorder
        scheduler.scheduleAt(subscriber.subscribesAt) {
            let observer = CountingObserver(subscriber, number, recorder, subscription)
            subscription.setDisposable(observable.subscribe(observer))
        }
        scheduler.scheduleAt(subscriber.disposesAt) { subscription.dispose() }
    }

    func span(_ ticks: Int) -> RxTimeInterval { .seconds(ticks) }
}

// Unchecked: used on its virtual scheduler's thread.
/// Writes down a subscriber's events, and disposes its subscription after so many elements.
private final class CountingObserver: ObserverType, @unchecked Sendable {
    private let subscriber: Subscriber
    private let number: Int
    private let recorder: Recorder
    private let subscription: SingleAssignmentDisposable
    private var elements = 0

    init(
        _ subscriber: Subscriber, _ number: Int, _ recorder: Recorder, _ subscription: SingleAssignmentDisposable
    ) {
        self.subscriber = subscriber
        self.number = number
        self.recorder = recorder
        self.subscription = subscription
    }

    func on(_ event: Event<Int>) {
        recorder.note(.event(subscriber: number, ProgramEvent(event)))
        elements += 1
        if elements == subscriber.disposesAfter || recorder.isExhausted { subscription.dispose() }
    }
}
