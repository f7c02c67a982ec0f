import RxEngine
import RxEngineTest

/// Runs programs on the engine, in virtual time.
package final class Engine {
    let scheduler: TestScheduler
    let recorder: Recorder
    let hots: [Observable<Int>]
    let subjects: [(source: Observable<Int>, observer: AnyObserver<Int>)]
    private(set) var shared: [Observable<Int>] = []

    private init(_ program: Program, _ scheduler: TestScheduler) {
        self.scheduler = scheduler
        let recorder = Recorder(scheduler, limit: Recording.limit)
        self.recorder = recorder
        hots = program.hots.enumerated().map { number, events in
            Probe(
                scheduler.createHotObservable(events.map { Recorded(time: $0.tick, value: $0.event.engineEvent) }),
                recorder, began: .hotSubscribed(number), ended: .hotDisposed(number)
            ).asObservable()
        }
        subjects = program.subjects.map(Self.subject)
        for definition in program.shared { shared.append(share(observable(definition.node), definition.kind)) }
    }

    private static func subject(_ kind: SubjectKind) -> (source: Observable<Int>, observer: AnyObserver<Int>) {
        switch kind {
        case .publish:
            let subject = PublishSubject<Int>()
            return (subject.asObservable(), subject.asObserver())
        case .behavior(let value):
            let subject = BehaviorSubject(value: value)
            return (subject.asObservable(), subject.asObserver())
        case .replay(let size):
            let subject = ReplaySubject<Int>.create(bufferSize: size)
            return (subject.asObservable(), subject.asObserver())
        }
    }

    private func share(_ source: Observable<Int>, _ kind: Shared.Kind) -> Observable<Int> {
        switch kind {
        case .share(let replay, let forever): source.share(replay: replay, scope: forever ? .forever : .whileConnected)
        case .publishRefCount: source.publish().refCount()
        case .replayRefCount(let size): source.replay(size).refCount()
        case .multicastSubject: source.multicast(PublishSubject<Int>()).refCount()
        }
    }

    /// Runs the program, and records what happens.
    package static func run(_ program: Program) -> Recording {
        let before = count
        let (debugOutput, errorHandler) = (Hooks.debugOutput, Hooks.defaultErrorHandler)
        Hooks.debugOutput = { _ in }
        Hooks.defaultErrorHandler = { _, _ in }
        defer { (Hooks.debugOutput, Hooks.defaultErrorHandler) = (debugOutput, errorHandler) }
        let scheduler = TestScheduler(initialClock: 0)
        var recording = SharingScheduler.mock(scheduler: scheduler) { record(program, scheduler) }
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

    private static func record(_ program: Program, _ scheduler: TestScheduler) -> Recording {
        let engine = Engine(program, scheduler)
        let observable = engine.observable(program.root)
        for (number, subscriber) in program.subscribers.enumerated() {
            let feedback = program.feedback.filter { $0.subscriber == number }
            let run = SubscriberRun(engine, observable, subscriber, number, feedback)
            engine.scheduler.scheduleAt(subscriber.subscribesAt) { run.subscribe() }
            engine.scheduler.scheduleAt(subscriber.disposesAt) { run.dispose() }
        }
        engine.scheduler.start()
        return engine.recorder.recording
    }

    func span(_ ticks: Int) -> RxTimeInterval { .seconds(ticks) }
}
