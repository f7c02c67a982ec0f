import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DoTests {
    private func watched(_ source: Observable<Int>, _ log: Box<[String]>) -> Observable<Int> {
        source.do(
            onNext: { log.append("onNext \($0)") }, afterNext: { log.append("afterNext \($0)") },
            onError: { log.append("onError \($0)") }, afterError: { log.append("afterError \($0)") },
            onCompleted: { log.append("onCompleted") }, afterCompleted: { log.append("afterCompleted") },
            onSubscribe: { log.append("onSubscribe") }, onSubscribed: { log.append("onSubscribed") },
            onDispose: { log.append("onDispose") })
    }

    private func source(_ events: [Event<Int>], _ log: Box<[String]>) -> Observable<Int> {
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

    @Test(arguments: table) func theOrder(events: [Event<Int>], expected: [String]) {
        let log = Box<[String]>([])
        watched(source(events, log), log).subscribe { log.append("\($0)") }.dispose()
        #expect(log.value == expected)
    }

    /// A source that ends later is freed when all has run that runs at its end.
    @Test(arguments: [Event<Int>.completed, .error(TestError("e"))]) func theOrderAtALaterEnd(_ end: Event<Int>) {
        let log = Box<[String]>([])
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

    /// The closures that run after the end need no other to run before the source is freed.
    @Test func whatRunsAfterTheEndRunsBeforeTheSourceIsFreed() {
        let log = Box<[String]>([])
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

    /// The same where the source itself does not free its resource at its end.
    @Test func aSourceThatFreesNothingByItself() {
        let log = Box<[String]>([])
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

    @Test(arguments: throwing.indices) func aClosureThatThrowsEndsTheSequence(_ index: Int) {
        let rule = Self.throwing[index]
        #expect(told(by: rule.apply(.just(1))) == rule.result, "\(rule.name)")
    }

    @Test func disposingInsideOnNextTellsNothing() {
        let log = Box<[String]>([])
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

extension ObservableType {
    /// The sequence, failing in the place of its end.
    fileprivate func concatError() -> Observable<Element> {
        self.do(onCompleted: { throw TestError("e") })
    }
}
