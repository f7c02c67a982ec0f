import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DoTests {
    private func watched(_ source: Observable<Int>, _ log: Cell<[String]>) -> Observable<Int> {
        source.do(
            onNext: { log.append("onNext \($0)") }, afterNext: { log.append("afterNext \($0)") },
            onError: { log.append("onError \($0)") }, afterError: { log.append("afterError \($0)") },
            onCompleted: { log.append("onCompleted") }, afterCompleted: { log.append("afterCompleted") },
            onSubscribe: { log.append("onSubscribe") }, onSubscribed: { log.append("onSubscribed") },
            onDispose: { log.append("onDispose") })
    }

    private func source(_ events: [Event<Int>], _ log: Cell<[String]>) -> Observable<Int> {
        .create { observer in
            for event in events { observer.on(event) }
            return Disposables.create { log.append("freed") }
        }
    }

    static let table: [(events: [Event<Int>], log: [String])] = [
        (
            [.next(1), .completed],
            [
                "onSubscribe", "onNext 1", "next(1)", "afterNext 1", "onCompleted", "completed", "afterCompleted",
                "freed",
                "onSubscribed", "onDispose",
            ]
        ),
        (
            [.error(TestError("e"))],
            ["onSubscribe", "onError e", "error(e)", "afterError e", "freed", "onSubscribed", "onDispose"]
        ),
        (
            [.next(1)],
            ["onSubscribe", "onNext 1", "next(1)", "afterNext 1", "onSubscribed", "freed", "onDispose"]
        ),
    ]

    @Test(arguments: table) func closuresRunInOrder(events: [Event<Int>], expected: [String]) {
        let log = Cell<[String]>([])
        watched(source(events, log), log).subscribe { log.append("\($0)") }.dispose()
        #expect(log.value == expected)
    }

    /// A source that ends later is released after all closures for its end have run.
    @Test(arguments: [Event<Int>.completed, .error(TestError("e"))]) func closuresRunInOrderAtAsynchronousEnd(
        _ end: Event<Int>
    ) {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let freed = Observable<Int>.create { observer in
            Disposables.create(subject.subscribe(observer), Disposables.create { log.append("freed") })
        }
        _ = watched(freed, log).subscribe { log.append("\($0)") }
        log.update { $0 = [] }
        subject.on(end)
        let name = end.isCompleted ? "Completed" : "Error e"
        #expect(log.value == ["on\(name)", "\(end)", "after\(name)", "freed", "onDispose"])
    }

    /// The closures that run after the end run before the source is released, whether or not other closures are given.
    @Test func afterClosuresRunBeforeSourceIsReleased() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let freed = Observable<Int>.create { observer in
            Disposables.create(subject.subscribe(observer), Disposables.create { log.append("freed") })
        }
        let source = freed.do(afterCompleted: { log.append("afterCompleted") })
        _ = source.subscribe { log.append("\($0)") }
        let disposed = source.map { $0 }.subscribe { log.append("\($0)") }
        disposed.dispose()
        subject.onCompleted()
        #expect(log.value == ["freed", "completed", "afterCompleted", "freed"])
    }

    /// The same if the source itself does not release its resource at its end.
    @Test func afterClosuresRunBeforeDisposableOfSourceIsDisposed() {
        let log = Cell<[String]>([])
        let source = Observable<Int>.source { sink in
            sink.completed()
            return Disposables.create { log.append("freed") }
        }
        _ = watched(source, log).subscribe { log.append("\($0)") }
        #expect(
            log.value == [
                "onSubscribe", "onCompleted", "completed", "afterCompleted", "freed", "onSubscribed", "onDispose",
            ])
    }

    static let throwing: [(name: String, apply: @Sendable (Observable<Int>) -> Observable<Int>, result: [Event<Int>])] =
        [
            ("onNext", { $0.do(onNext: { _ in throw TestError("t") }) }, [.error(TestError("t"))]),
            ("afterNext", { $0.do(afterNext: { _ in throw TestError("t") }) }, [.next(1), .error(TestError("t"))]),
            ("onCompleted", { $0.do(onCompleted: { throw TestError("t") }) }, [.next(1), .error(TestError("t"))]),
            ("afterCompleted", { $0.do(afterCompleted: { throw TestError("t") }) }, [.next(1), .completed]),
            (
                "onError", { $0.concatError().do(onError: { _ in throw TestError("t") }) },
                [.next(1), .error(TestError("t"))]
            ),
            (
                "afterError", { $0.concatError().do(afterError: { _ in throw TestError("t") }) },
                [.next(1), .error(TestError("e"))]
            ),
        ]

    @Test(arguments: throwing.indices) func throwingClosureFailsSequence(_ index: Int) {
        let rule = Self.throwing[index]
        #expect(emitted(by: rule.apply(.just(1))) == rule.result, "\(rule.name)")
    }

    /// A sequence that resubscribes inside its own end must not share the run that is ending.
    static let resubscribing:
        [(name: String, sequence: @Sendable (Cell<Int>) -> Observable<Int>, result: [Event<Int>])] =
            [
                (
                    "retry of a shared sequence",
                    { runs in
                        let shared = Observable.just(1).concat(.never()).do(onSubscribe: { runs.update { $0 += 1 } })
                            .share(replay: 1)
                        return shared.map { _ -> Int in throw TestError() }.do(onDispose: {}).retry(2)
                    }, [.error(TestError())]
                ),
                (
                    "concat of a shared sequence with itself",
                    { runs in
                        let shared = Observable.of(1, 2).do(onSubscribe: { runs.update { $0 += 1 } }).share()
                        let first = shared.take(1).do(onDispose: {})
                        return first.concat(first)
                    }, [.next(1), .next(1), .completed]
                ),
                (
                    "concat of a shared maybe with itself",
                    { runs in
                        let shared = Observable.of(1, 2).do(onSubscribe: { runs.update { $0 += 1 } }).share()
                        let first = shared.take(1).asMaybe().do(onDispose: {}).asObservable()
                        return first.concat(first)
                    }, [.next(1), .next(1), .completed]
                ),
            ]

    @Test(arguments: resubscribing.indices) func resubscribingInsideEndStartsNewRun(_ index: Int) {
        let rule = Self.resubscribing[index]
        let runs = Cell(0)
        let events = emitted(by: rule.sequence(runs).take(5))
        #expect(events == rule.result, "\(rule.name)")
        #expect(runs.value == 2, "\(rule.name)")
    }

    /// If a source fails inside its own start, `concat` delivers the end after the start has returned. A resubscription
    /// at that point shares the run that is not released yet, with `do` and without.
    @Test(arguments: [false, true]) func sourceIsNotReleasedBeforeEndIsDelivered(_ isWatched: Bool) {
        let runs = Cell(0)
        let shared = Observable<Int>.never().do(onSubscribe: { runs.update { $0 += 1 } }).share()
        let source = Observable.combineLatest(shared, Observable<Int>.error(TestError())) { $0 + $1 }
        let watched = isWatched ? source.do(onSubscribed: {}, onDispose: {}) : source
        let sequence = watched.concat(Observable.just(1))
        _ = sequence.subscribe(onError: { _ in _ = sequence.subscribe(onError: { _ in }) })
        #expect(runs.value == 1)
    }

    /// The same for sources that end after their subscription.
    @Test func resubscribingInsideAsynchronousEndStartsNewRun() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable([.next(10, 1), .next(20, 2)])
        let observer = scheduler.start(disposed: 240) {
            let shared = cold.asObservable().share()
            let first = shared.take(1).do(afterCompleted: {}, onDispose: {})
            return first.concat(first)
        }
        #expect(observer.events == [.next(210, 1), .next(220, 1), .completed(220)])
        #expect(cold.subscriptions == [Subscription(200, 210), Subscription(210, 220)])
    }

    /// On another thread, the closure would overlap with the delivery.
    @Test func disposeOnOtherThreadDoesNotRunAfterCompleted() {
        let (log, subject) = (Cell<[String]>([]), PublishSubject<Int>())
        let subscription = SingleAssignmentDisposable()
        subscription.setDisposable(
            subject.do(afterCompleted: { log.append("afterCompleted") }).subscribe(onCompleted: {
                Thread { subscription.dispose() }.join()
                log.append("delivered")
            }))
        subject.onCompleted()
        #expect(log.value == ["delivered", "afterCompleted"])
    }

    @Test func firstResourceIsReleasedBeforeSecondIsMade() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let first = Observable<Int>.using({ AnonymousResource { log.append("free 1") } }) { _ in subject.asObservable()
        }
        .do(onDispose: { log.append("onDispose 1") })
        let second = Observable<Int>.using({
            log.append("make 2")
            return AnonymousResource { log.append("free 2") }
        }) { _ in .never() }
        let subscription = first.concat(second).subscribe()
        subject.onCompleted()
        #expect(log.value == ["free 1", "onDispose 1", "make 2"])
        subscription.dispose()
    }

    static let endings: [Event<Int>?] = [.completed, .error(TestError()), nil]

    /// At an end, and when the subscription is disposed.
    @Test(arguments: endings) func nestedOnDisposeRunsInnermostFirst(_ end: Event<Int>?) {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let subscription = Observable<Int>.using({ AnonymousResource { log.append("freed") } }) { _ in
            subject.asObservable()
        }
        .do(onDispose: { log.append("inner") }).map { $0 }.do(onDispose: { log.append("outer") })
        .subscribe(onError: { _ in })
        if let end { subject.on(end) } else { subscription.dispose() }
        #expect(log.value == ["freed", "inner", "outer"])
    }

    @Test func closuresDoNotRunAfterEnd() {
        let log = Cell<[String]>([])
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onNext(2)
            observer.onError(TestError())
            return Disposables.create()
        }
        _ = source.take(1).do(
            onNext: { log.append("\($0)") }, onError: { _ in log.append("error") },
            onCompleted: { log.append("completed") }
        ).subscribe()
        #expect(log.value == ["1", "completed"])
    }

    @Test func disposingInsideOnNextDropsElement() {
        let log = Cell<[String]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.do(
            onNext: { _ in handle.dispose() }, afterNext: { _ in log.append("afterNext") },
            onDispose: { log.append("onDispose") }
        ).subscribe { log.append("\($0)") }
        subject.onNext(1)
        #expect(log.value == ["onDispose"])
    }
}

private struct AnonymousResource: Disposable {
    let free: @Sendable () -> Void

    func dispose() {
        free()
    }
}

extension ObservableType {
    /// The sequence with an error in the place of its end.
    fileprivate func concatError() -> Observable<Element> {
        self.do(onCompleted: { throw TestError("e") })
    }
}
