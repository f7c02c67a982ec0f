import RxEngine
import TestSupport
import Testing

/// Threads that subscribe, emit and dispose at once: nothing traps, tears or leaks. `make sanitize` runs these under
/// the thread sanitizer.
@Suite(.balanced) struct StressTests {
    private typealias Assemble = @Sendable (Observable<Int>) -> Observable<Int>

    private static let elsewhere = SerialDispatchQueueScheduler(internalSerialQueueName: "elsewhere")
    private static let everywhere = ConcurrentDispatchQueueScheduler(qos: .default)

    private static let chains: [(name: String, assemble: Assemble)] = [
        ("subject", { $0 }),
        ("map.filter", { $0.map { $0 + 1 }.filter { $0 % 2 == 0 } }),
        ("share", { $0.share() }),
        ("share(replay: 1)", { $0.share(replay: 1) }),
        ("share(replay: 3, scope: .forever)", { $0.share(replay: 3, scope: .forever) }),
        ("publish.refCount", { $0.publish().refCount() }),
        ("replay.refCount", { $0.replay(2).refCount() }),
        ("flatMap", { $0.flatMap { Observable.of($0, $0) } }),
        ("flatMapLatest", { $0.flatMapLatest { Observable.of($0, $0) } }),
        ("flatMapFirst", { $0.flatMapFirst { Observable.of($0, $0) } }),
        ("concatMap", { $0.concatMap { Observable.just($0) } }),
        ("merge", { Observable.merge($0, $0.map { -$0 }) }),
        ("combineLatest", { Observable.combineLatest($0, $0.map { -$0 }) { $0 + $1 } }),
        ("zip", { Observable.zip($0, $0.map { -$0 }) { $0 + $1 } }),
        ("withLatestFrom", { $0.withLatestFrom($0) }),
        ("groupBy", { $0.groupBy { $0 % 3 }.flatMap { $0 } }),
        ("retry", { $0.map { if $0 % 7 == 0 { throw TestError() } else { $0 } }.retry(3) }),
        ("observe(on: serial)", { $0.observe(on: elsewhere) }),
        ("observe(on: concurrent)", { $0.observe(on: everywhere) }),
        ("subscribe(on:)", { $0.subscribe(on: everywhere) }),
        ("debounce", { $0.debounce(.microseconds(10), scheduler: elsewhere) }),
        ("throttle", { $0.throttle(.microseconds(10), scheduler: elsewhere) }),
        ("delay", { $0.delay(.microseconds(10), scheduler: elsewhere) }),
        ("timeout", { $0.timeout(.seconds(10), scheduler: elsewhere) }),
        ("buffer", { $0.buffer(timeSpan: .microseconds(50), count: 3, scheduler: elsewhere).map(\.count) }),
        ("window", { $0.window(timeSpan: .microseconds(50), count: 3, scheduler: elsewhere).merge() }),
    ]

    @Test(arguments: chains.indices) func concurrentSubscribeEmitAndDispose(_ index: Int) {
        let (_, assemble) = Self.chains[index]
        let subject = PublishSubject<Int>()
        let chain = assemble(subject)
        let isOver = Cell(false)
        inParallel(4) { thread in
            if thread == 0 {
                for number in 0..<3000 { subject.onNext(number) }
                isOver.update { $0 = true }
            } else {
                var number = 0
                while !isOver.value || number < 20 {
                    number += 1
                    let inner = SerialDisposable()
                    inner.disposable = chain.subscribe { event in
                        if event.element == 13 { inner.dispose() }
                    }
                    let others = CompositeDisposable(chain.subscribe(), chain.take(2).subscribe(onError: { _ in }))
                    inner.dispose()
                    others.dispose()
                }
            }
        }
        subject.onCompleted()
    }

    /// Two threads emit into one subject, which the contract forbids: events may mix, but memory stays intact.
    @Test func concurrentEmissionsAreMemorySafe() {
        let subject = PublishSubject<String>()
        inParallel(4) { thread in
            for number in 0..<2000 {
                if thread < 2 {
                    subject.onNext("\(number)")
                } else {
                    let subscription = subject.subscribe { _ in }
                    subscription.dispose()
                }
            }
        }
    }

    @Test func disposablesMayBeDisposedFromAnyThread() {
        for _ in 0..<200 {
            let runs = Cell(0)
            let composite = CompositeDisposable()
            let serial = SerialDisposable()
            let single = SingleAssignmentDisposable()
            let counted: @Sendable () -> any Disposable = { Disposables.create { runs.update { $0 += 1 } } }
            inParallel(4) { thread in
                switch thread {
                case 0:
                    for _ in 0..<5 { _ = composite.insert(counted()) }
                    serial.disposable = counted()
                case 1:
                    single.setDisposable(counted())
                    serial.disposable = counted()
                case 2:
                    composite.dispose()
                    serial.dispose()
                default:
                    single.dispose()
                    composite.dispose()
                }
            }
            composite.dispose()
            serial.dispose()
            single.dispose()
            #expect(runs.value == 8)
        }
    }
}
