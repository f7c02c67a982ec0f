import Dispatch
import Observation
import RxEngine
import RxEngineFoundation

/// What the means cost that show what is alive. `mapfilter6` and `mapfilter6-subscribe` are the same without them.
let diagnosticsWorkloads = [
    Workload("checkpoint") { count in
        Observable.pump(count, through: { $0.sixSteps().checkpoint("orders") }, to: drain.take)
    },
    Workload("tag") { count in
        Observable.pump(count, through: { $0.sixSteps().tag("orders") }, to: drain.take)
    },
    Workload("tag-subscribe") { count in
        let chain = Observable.just(1).sixSteps().tag("orders")
        for _ in 0..<count { chain.subscribe(onNext: drain.take).dispose() }
    },
    // Elements after the end of a subscription.
    Workload("dropped") { count in
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        for value in 0..<count { subject.onNext(value) }
    },
    Workload("onNextDropped") { count in
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        Hooks.onNextDropped = { _ in drain.take(1) }
        for value in 0..<count { subject.onNext(value) }
        Hooks.onNextDropped = nil
    },
    // The change of a property, with one subscription to it, and with none.
    Workload("observe", weight: 10) { count in
        let model = Model()
        let subscription = model.rx.observe(\.value).subscribe(onNext: drain.take)
        for value in 0..<count { model.value = value }
        subscription.dispose()
    },
    Workload("observing", weight: 10) { count in
        nonisolated(unsafe) let model = Model()
        let subscription = RxObservable.observing { model.value }.subscribe(onNext: drain.take)
        for value in 0..<count { model.value = value }
        subscription.dispose()
    },
    // Through another object, of which the property changes.
    Workload("observeWeakly", weight: 10) { count in
        let (model, next) = (Model(), Model())
        model.next = next
        let subscription = model.rx.observeWeakly(\.next, \.value).subscribe(onNext: { drain.take($0 ?? 0) })
        for value in 0..<count { next.value = value }
        subscription.dispose()
    },
    Workload("unobserved", weight: 10) { count in
        let model = Model()
        for value in 0..<count { model.value = value }
        drain.take(model.value)
    },
    Workload("recording-subscriptions") { count in
        Resources.recording = .subscriptions
        Observable.pump(count, through: { $0.sixSteps() }, to: drain.take)
        Resources.recording = .off
    },
    Workload("recording-elements") { count in
        Resources.recording = .elements
        Observable.pump(count, through: { $0.sixSteps() }, to: drain.take)
        Resources.recording = .off
    },
    Workload("recording-subscribe") { count in
        Resources.recording = .subscriptions
        let chain = PublishSubject<Int>().sixSteps()
        for _ in 0..<count { chain.subscribe(onNext: drain.take).dispose() }
        Resources.recording = .off
    },
    Workload("unrecorded-subscribe") { count in
        let chain = PublishSubject<Int>().sixSteps()
        for _ in 0..<count { chain.subscribe(onNext: drain.take).dispose() }
    },
    // As the row above, with a call for each of the seven subscriptions.
    Workload("hooked-subscribe") { count in
        Hooks.onSubscribe = { drain.take(Int($0.rawValue)) }
        let chain = PublishSubject<Int>().sixSteps()
        for _ in 0..<count { chain.subscribe(onNext: drain.take).dispose() }
        Hooks.onSubscribe = nil
    },
    Workload("hooked-assembly") { count in
        Hooks.onAssembly = { drain.take(Int($0.rawValue)) }
        let subject = PublishSubject<Int>()
        for _ in 0..<count { withExtendedLifetime(subject.sixSteps()) {} }
        Hooks.onAssembly = nil
    },
    Workload("snapshot", weight: 100) { count in
        for _ in 0..<count { drain.take(Resources.snapshot().operators.count) }
    },
    // Of eight nodes.
    Workload("graph", weight: 100) { count in
        Resources.recording = .elements
        let subject = PublishSubject<Int>()
        let subscription = subject.sixSteps().subscribe(onNext: drain.take)
        for _ in 0..<count { drain.take(Resources.graph().nodes.count) }
        subscription.dispose()
        Resources.recording = .off
    },
    amongSubscriptions("snapshot-1000", 1_000) { Resources.snapshot().operators.count },
    amongSubscriptions("snapshot-10000", 10_000) { Resources.snapshot().operators.count },
    amongSubscriptions("graph-1000", 1_000) { Resources.graph().nodes.count },
    amongSubscriptions("graph-10000", 10_000) { Resources.graph().nodes.count },
    // A bounded queue, whose reader is slower than the source now and then.
    Workload("bounded-boundary", isSteady: false) { count in
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench.bounded")
        let done = DispatchSemaphore(value: 0)
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: scheduler, bufferSize: 1024, overflow: .dropOldest)
            .subscribe(onNext: drain.take, onCompleted: { done.signal() })
        for value in 0..<count { subject.onNext(value) }
        subject.onCompleted()
        done.wait()
        subscription.dispose()
    },
]

/// A row for an operation while `size` recorded subscriptions are alive, each to a `map` of one subject.
private func amongSubscriptions(_ name: String, _ size: Int, _ look: @escaping @Sendable () -> Int) -> Workload {
    Workload(name, weight: size) { count in
        Resources.recording = .subscriptions
        let source = PublishSubject<Int>().map { $0 &+ 1 }
        let subscriptions = (0..<size).map { _ in source.subscribe(onNext: drain.take) }
        for _ in 0..<count { drain.take(look()) }
        subscriptions.forEach { $0.dispose() }
        Resources.recording = .off
    }
}

@Observation.Observable private final class Model: LifetimeHost {
    @ObservationIgnored let lifetime = Lifetime()
    var value = 0
    weak var next: Model?
}
