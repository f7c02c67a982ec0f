import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The grammar `next* (error | completed)?` holds, whatever the source does.
@Suite(.balanced) struct GrammarTests {
    /// A source that breaks the grammar at every point: it emits elements and ends after its end, synchronously and
    /// later.
    private static func malformed(_ end: Event<Int>) -> Observable<Int> {
        .create { observer in
            observer.onNext(1)
            observer.onNext(2)
            observer.on(end)
            observer.onNext(3)
            observer.onError(TestError("late"))
            observer.onCompleted()
            return Disposables.create {
                observer.onNext(4)
                observer.onCompleted()
            }
        }
    }

    private typealias Assemble = @Sendable (Observable<Int>) -> Observable<Int>

    private static let chains: [(name: String, assemble: Assemble)] = [
        ("alone", { $0 }),
        ("map", { $0.map { $0 } }),
        ("flatMap", { $0.flatMap { Observable.of($0, $0) } }),
        ("flatMapLatest", { $0.flatMapLatest { Observable.just($0) } }),
        ("concatMap", { $0.concatMap { Observable.of($0) } }),
        ("merge", { Observable.merge($0, $0) }),
        ("concat", { $0.concat($0) }),
        ("combineLatest", { Observable.combineLatest($0, $0) { $0 + $1 } }),
        ("zip", { Observable.zip($0, $0) { $0 + $1 } }),
        ("withLatestFrom", { $0.withLatestFrom($0) }),
        ("amb", { $0.amb($0) }),
        ("zip(longest:)", { Observable.zip(longest: $0, $0) { ($0 ?? 0) + ($1 ?? 0) } }),
        ("expand", { $0.expand { $0 < 1_000_000 ? .of($0 + 1_000_000, $0 + 2_000_000) : .empty() } }),
        ("flatMap(maxConcurrent:)", { $0.flatMap(maxConcurrent: 2) { Observable.of($0, $0) } }),
        ("mergeDelayError", { .mergeDelayError($0, $0) }),
        ("sequenceEqual", { $0.sequenceEqual($0).asObservable().map { $0 ? 1 : 0 } }),
        ("concatMapEager", { $0.concatMapEager { Observable.of($0) } }),
        ("concatEager", { .concatEager($0, $0) }),
        ("combineLatestDelayError", { Observable.combineLatestDelayError($0, $0) { $0 + $1 } }),
        ("pausableBuffered", { $0.pausableBuffered(Observable.just(true).concat(.never()), limit: 2) }),
        ("window(until:)", { $0.window(until: Observable<Int>.never()).merge() }),
        ("switchOnFirst", { $0.switchOnFirst { _, all in all } }),
        ("onTerminateDetach", { $0.onTerminateDetach() }),
        ("repeat(when:)", { $0.repeat { $0.take(1) } }),
        ("share", { $0.share() }),
        ("share(replay: 1)", { $0.share(replay: 1) }),
        ("share(replay: 1, scope: .forever)", { $0.share(replay: 1, scope: .forever) }),
        ("publish", { $0.publish().refCount() }),
        ("take", { $0.take(9) }),
        ("takeLast", { $0.takeLast(9) }),
        ("scan", { $0.scan(0, accumulator: +) }),
        ("do", { $0.do(onNext: { _ in }) }),
        ("materialize", { $0.materialize().dematerialize() }),
        ("startWith", { $0.startWith(0) }),
        ("retry", { $0.retry(2) }),
        ("catch", { $0.catch { .error($0) } }),
        ("timeless", { $0.take(until: Observable<Int>.never()).skip(while: { _ in false }) }),
    ]

    @Test func everyChainEmitsOneEnd() {
        for chain in Self.chains {
            for end in [Event<Int>.completed, .error(TestError())] {
                let seen = Cell<[String]>([])
                let observable = chain.assemble(Self.malformed(end))
                let subscription = observable.subscribe(
                    onNext: { seen.append("\($0)") }, onError: { _ in seen.append("end") },
                    onCompleted: { seen.append("end") }, onDisposed: { seen.append("disposed") })
                subscription.dispose()
                #expect(seen.value.filter { $0 == "end" }.count == 1, "\(chain.name) \(end)")
                #expect(Array(seen.value.suffix(2)) == ["end", "disposed"], "\(chain.name) \(end): \(seen.value)")
            }
        }
    }

    /// A chain that its observer disposes delivers nothing more.
    @Test func chainDisposedByObserverEmitsNothing() {
        for chain in Self.chains {
            let seen = Cell(0)
            let subscription = SerialDisposable()
            let source = PublishSubject<Int>()
            subscription.disposable = chain.assemble(source).subscribe { _ in
                seen.update { $0 += 1 }
                subscription.dispose()
            }
            let before = seen.value
            for value in 0..<3 { source.onNext(value) }
            source.onCompleted()
            #expect(seen.value <= max(before, 1), "\(chain.name)")
            #expect(!source.hasObservers, "\(chain.name)")
        }
    }

    /// The source is released as soon as the sequence ends or is disposed.
    @Test func sourceIsReleasedAtEndAndDisposal() {
        for chain in Self.chains {
            let source = PublishSubject<Int>()
            let subscription = chain.assemble(source).subscribe()
            #expect(source.hasObservers, "\(chain.name)")
            subscription.dispose()
            #expect(!source.hasObservers, "\(chain.name)")
        }
    }

    /// An operator whose closures must not run after the end.
    private struct OperatorWithClosure {
        let name: String
        let assemble: @Sendable (Observable<Int>, Cell<Int>) -> Observable<Int>

        init(_ name: String, _ assemble: @escaping @Sendable (Observable<Int>, Cell<Int>) -> Observable<Int>) {
            self.name = name
            self.assemble = assemble
        }
    }

    private static let operatorsWithClosures: [OperatorWithClosure] = [
        OperatorWithClosure("do(onNext:)") { source, calls in source.do(onNext: { _ in calls.update { $0 += 1 } }) },
        OperatorWithClosure("do(onError:)") { source, calls in source.do(onError: { _ in calls.update { $0 += 1 } }) },
        OperatorWithClosure("do(onCompleted:)") { source, calls in source.do(onCompleted: { calls.update { $0 += 1 } })
        },
        OperatorWithClosure("groupBy") { source, calls in
            source.groupBy { (element: Int) -> Int in
                calls.update { $0 += 1 }
                return element
            }.map { _ in 1 }
        },
        OperatorWithClosure("subscribe(on:)") { source, calls in
            source.subscribe(on: SchedulerThatRunsAtOnce()).counting(calls)
        },
        OperatorWithClosure("ifEmpty(switchTo:)") { source, calls in
            source.ifEmpty(switchTo: Observable<Int>.just(1)).counting(calls)
        },
        OperatorWithClosure("buffer") { source, calls in
            let buffers = source.buffer(timeSpan: .seconds(1), count: 1, scheduler: HistoricalScheduler())
            return buffers.map { $0.count }.counting(calls)
        },
        OperatorWithClosure("throttle") { source, calls in
            source.throttle(.seconds(0), scheduler: HistoricalScheduler()).counting(calls)
        },
    ]

    @Test(arguments: operatorsWithClosures.indices) func noClosureRunsForEventsAfterEnd(_ index: Int) {
        let (name, assemble) = (Self.operatorsWithClosures[index].name, Self.operatorsWithClosures[index].assemble)
        for end in [Event<Int>.completed, .error(TestError())] {
            let calls = Cell(0)
            let stop = PublishSubject<Int>()
            let ended = Observable<Int>.source { sink in
                stop.onNext(1)
                sink.on(end)
                return Disposables.create()
            }
            #expect(emitted(by: assemble(ended, calls).take(until: stop)) == [.completed], "\(name) \(end)")
            #expect(calls.value == 0, "\(name) \(end)")
            let emitting = Observable<Int>.source { sink in
                for element in 1...3 { sink.next(element) }
                sink.on(end)
                return Disposables.create()
            }
            _ = emitted(by: assemble(emitting, calls).take(1))
            #expect(calls.value <= 1, "\(name) \(end)")
        }
    }
}

extension Observable where Element == Int {
    /// Counts the elements in a closure that checks nothing.
    fileprivate func counting(_ calls: Cell<Int>) -> Observable<Int> {
        map { element in
            calls.update { $0 += 1 }
            return element
        }
    }
}
