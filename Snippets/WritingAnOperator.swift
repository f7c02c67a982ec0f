// Three custom operators: one passes its source's end straight on, one restarts its source, one has two sources.

import Dispatch
import RxEngine

extension ObservableType {
    /// Emits the second element, the fourth, and so on.
    func everySecond() -> Observable<Element> {
        asObservable().lift { EverySecondSink(to: $0) }
    }

    /// Repeats this sequence until it fails.
    func forever() -> Observable<Element> {
        let source = asObservable()
        return .source { downstream in
            let current = SerialDisposable()
            LoopSink.start(source, into: downstream, current)
            return current
        }
    }

    /// Emits the elements of this sequence and of `other`, and completes when both have.
    func and(_ other: Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return .source { downstream in
            let run = PairRun(into: downstream)
            let sinks = [PairSink(of: run), PairSink(of: run)]
            run.disposable = Disposables.create(sinks.map(\.live))
            for (source, sink) in Swift.zip([source, other], sinks) where sink.live.isActive { source.start(sink) }
            return run.disposable
        }
    }
}

final class EverySecondSink<Element>: OperatorSink<Element, Element> {
    private var isOdd = false

    override func next(_ element: Element) {
        isOdd.toggle()
        if !isOdd { downstream.next(element) }
    }
}

final class LoopSink<Element>: BoundarySink<Element> {
    private let source: Observable<Element>
    private let downstream: Sink<Element>
    private let current: SerialDisposable

    init(_ source: Observable<Element>, into downstream: Sink<Element>, _ current: SerialDisposable) {
        (self.source, self.downstream, self.current) = (source, downstream, current)
        super.init(LiveSubscription())
    }

    static func start(_ source: Observable<Element>, into downstream: Sink<Element>, _ current: SerialDisposable) {
        let sink = LoopSink(source, into: downstream, current)
        current.disposable = sink.live
        source.start(sink)
    }

    override func next(_ element: Element) {
        if live.isActive { downstream.next(element) }
    }

    override func ended(_ end: Termination) {
        guard downstream.live.isActive else { return }
        switch end {
        case .error(let error): downstream.error(error)
        case .completed: Self.start(source, into: downstream, current)
        }
    }
}

// Unchecked: used inside the drain, apart from the disposable, which is set before the sources start.
/// The state that the sinks of both sources share.
final class PairRun<Element>: @unchecked Sendable {
    private let downstream: Sink<Element>
    private let drain = SerializedDrain()
    private var running = 2
    var disposable = Disposables.create()

    init(into downstream: Sink<Element>) {
        self.downstream = downstream
    }

    func receive(_ element: Element) {
        guard drain.enter() else { return drain.post { self.deliver(element) } }
        deliver(element)
        drain.leave()
    }

    func ended(_ end: Termination) {
        drain.run { [self] in
            running -= 1
            if case .completed = end, running > 0 { return }
            if downstream.live.isActive { downstream.terminate(with: end) }
            disposable.dispose()
        }
    }

    private func deliver(_ element: Element) {
        if downstream.live.isActive { downstream.next(element) }
        // Downstream may have ended inside its own `subscribe`, when it has no disposable yet.
        if !downstream.live.isActive { disposable.dispose() }
    }
}

final class PairSink<Element>: BoundarySink<Element> {
    private let run: PairRun<Element>

    init(of run: PairRun<Element>) {
        self.run = run
        super.init(LiveSubscription())
    }

    override func next(_ element: Element) {
        if live.isActive { run.receive(element) }
    }

    override func ended(_ end: Termination) {
        run.ended(end)
    }
}

_ = Observable.of(1, 2, 3, 4).everySecond().subscribe(onNext: { print($0) }, onCompleted: { print("completed") })
_ = Observable.of("a", "b").forever().take(5).subscribe(onNext: { print($0) })

// Each run ends on the scheduler's thread, which starts the next one.
let scheduler = SerialDispatchQueueScheduler(qos: .default)
let done = DispatchSemaphore(value: 0)
_ = Observable.just("c").observe(on: scheduler).forever().take(2).subscribe(
    onNext: { print($0) },
    onDisposed: {
        // Behind the action that ends here, so that all of it is released.
        _ = scheduler.schedule(()) {
            done.signal()
            return Disposables.create()
        }
    })
done.wait()

// The observer makes a source emit from inside its call: it receives that element when it has returned.
let (one, two) = (PublishSubject<Int>(), PublishSubject<Int>())
_ = one.and(two.asObservable()).subscribe(
    onNext: {
        print("begin \($0)")
        if $0 == 1 { two.onNext(2) }
        print("end \($0)")
    }, onCompleted: { print("both completed") })
one.onNext(1)
one.onCompleted()
two.onCompleted()
print("subscriptions: \(Resources.count(of: .subscription))")

// Prints:
// 2
// 4
// completed
// a
// b
// a
// b
// a
// c
// c
// begin 1
// end 1
// begin 2
// end 2
// both completed
// subscriptions: 0
