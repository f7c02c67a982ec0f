import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CatchTests {
    typealias Events = [Recorded<Event<Int>>]

    static let table: [(name: String, first: Events, second: Events, result: Events, left: Int, then: [Subscription])] =
        [
            (
                "replaced", [.next(10, 1), .error(30, TestError())], [.next(10, 8), .completed(20)],
                [.next(210, 1), .next(240, 8), .completed(250)], 230, [Subscription(230, 250)]
            ),
            (
                "no error", [.next(10, 1), .completed(30)], [.next(10, 8)], [.next(210, 1), .completed(230)], 230, []
            ),
            (
                "the replacement fails", [.error(30, TestError())], [.error(10, TestError("second"))],
                [.error(240, TestError("second"))], 230, [Subscription(230, 240)]
            ),
            ("the replacement never ends", [.error(30, TestError())], [], [], 230, [Subscription(230, 1000)]),
        ]

    @Test(arguments: table)
    func rules(name: String, first: Events, second: Events, result: Events, left: Int, then: [Subscription]) {
        let spellings: [@Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>] = [
            { first, second in first.catch { _ in second } }, { .catch(sequence: [$0, $1]) },
            { .catch(sequence: AnySequence([$0, $1])) },
            { first, second in first.catch { throw $0 }.catch { _ in second } },
            { first, second in .deferred { first.concat(Observable.empty()) }.catch { error in .deferred { second } } },
        ]
        for catching in spellings {
            let scheduler = TestScheduler(initialClock: 0)
            let (one, two) = (scheduler.createColdObservable(first), scheduler.createColdObservable(second))
            let observer = scheduler.start { catching(one.asObservable(), two.asObservable()) }
            #expect(observer.events == result)
            #expect(one.subscriptions == [Subscription(200, left)])
            #expect(two.subscriptions == then)
        }
    }

    @Test func throwingHandlerReplacesError() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .error(220, TestError(), Int.self)])
        let observer = scheduler.start { hot.catch { throw TestError("after \($0)") } }
        #expect(observer.events == [.next(210, 1), .error(220, TestError("after test error"))])
        #expect(hot.subscriptions == [Subscription(200, 220)])
    }

    @Test func catchAndReturnEmitsElementAndCompletes() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .error(220, TestError(), Int.self)])
        #expect(scheduler.start { hot.catchAndReturn(9) }.events == [.next(210, 1), .next(220, 9), .completed(220)])
        #expect(hot.subscriptions == [Subscription(200, 220)])
        let log = Cell<[Event<Int>]>([])
        _ = Observable<Int>.error(TestError()).catchAndReturn(9).take(1).subscribe { log.append($0) }
        _ = Observable<Int>.just(1).catchAndReturn(9).subscribe { log.append($0) }
        #expect(log.value == [.next(9), .completed, .next(1), .completed])
    }

    @Test func catchOfSequenceContinuesWithNextSource() {
        let log = Cell<[Event<Int>]>([])
        let pulled = Cell(0)
        let sources = (1...5).lazy.map { number -> Observable<Int> in
            pulled.update { $0 += 1 }
            return Observable.just(number).concat(number < 3 ? Observable.error(TestError("\(number)")) : .empty())
        }
        _ = Observable.catch(sequence: sources).subscribe { log.append($0) }
        #expect(log.value == [.next(1), .next(2), .next(3), .completed])
        #expect(pulled.value == 3)
        log.update { $0 = [] }
        _ = Observable<Int>.catch(sequence: []).subscribe { log.append($0) }
        _ = Observable<Int>.catch(sequence: [.error(TestError("1")), .error(TestError("2"))]).subscribe {
            log.append($0)
        }
        #expect(log.value == [.completed, .error(TestError("2"))])
    }

    @Test func disposingInsideHandlerSubscribesToNothing() {
        let runs = Cell(0)
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        let events = Cell(0)
        handle.disposable = subject.catch { _ in
            handle.dispose()
            return .deferred {
                runs.update { $0 += 1 }
                return .just(1)
            }
        }.subscribe { _ in events.update { $0 += 1 } }
        subject.onError(TestError())
        #expect(runs.value == 0)
        #expect(events.value == 0)
    }

    @Test func catchChainsTakeNoStack() {
        onSmallStack {
            let depth = 100_000
            @Sendable func failing(_ number: Int) -> Observable<Int> {
                Observable<Int>.error(TestError()).catch { _ in number == depth ? .just(depth) : failing(number + 1) }
            }
            let log = Cell<[Event<Int>]>([])
            _ = failing(0).subscribe { log.append($0) }
            #expect(log.value == [.next(depth), .completed])
            var chain = Observable<Int>.error(TestError("0"))
            for number in 1...depth { chain = chain.catch { _ in throw TestError("\(number)") } }
            log.update { $0 = [] }
            _ = chain.subscribe { log.append($0) }
            #expect(log.value == [.error(TestError("\(depth)"))])
        }
    }

    /// Work that a source deferred and that has not run when it fails inside its start does not run any more.
    @Test func sourceThatFailsInsideItsStartIsReleasedAtOnce() {
        let log = Cell<[Int]>([])
        let failing = Observable.combineLatest(
            Observable.of(1).do(onNext: { log.append($0) }), Observable<Int>.error(TestError())
        ) { $0 + $1 }
        let rules: [(PublishSubject<Int>) -> Observable<Int>] = [
            { _ in failing.catchAndReturn(7) }, { _ in failing.catch { _ in .just(7) } },
            { _ in .catch(sequence: [failing, .just(7)]) },
            { .catch(sequence: [$0.asObservable(), failing, .just(7)]) },
            { $0.catch { _ in failing }.catchAndReturn(7) },
        ]
        for (index, rule) in rules.enumerated() {
            let (events, subject) = (EventLog<Int>(), PublishSubject<Int>())
            _ = rule(subject).subscribe(events)
            subject.onError(TestError())
            #expect(events.events == [.next(7), .completed], "\(index)")
        }
        #expect(log.value == [])
    }

    /// The source breaks the grammar: it fails after a downstream operator has ended the sequence.
    @Test(arguments: [false, true]) func errorAfterEndIsIgnored(_ breaksTheGrammar: Bool) {
        // The first is stopped at `create`; the second reaches the operators.
        let source =
            breaksTheGrammar
            ? Observable<Int>.source { sink in
                sink.next(4)
                sink.error(TestError())
                return Disposables.create()
            }
            : .create { observer in
                observer.onNext(4)
                observer.onError(TestError())
                return Disposables.create()
            }
        let joins: [(name: String, join: (Observable<Int>, Observable<Int>) -> Observable<Int>, result: [Event<Int>])] =
            [
                ("combineLatest", { .combineLatest($0, $1) { $0 + $1 } }, [.next(14), .next(24), .completed]),
                ("zip", { .zip($0, $1) { $0 + $1 } }, [.next(14), .completed]),
                ("sample", { $0.sample($1) }, [.next(4), .completed]),
                ("withLatestFrom", { $1.withLatestFrom($0) }, [.next(4), .next(4), .completed]),
                (
                    "flatMapFirst", { source, hot in source.flatMapFirst { _ in hot } },
                    [.next(10), .next(20), .completed]
                ),
                ("merge", { .merge($0, $1) }, [.next(4), .next(10), .next(20), .completed]),
            ]
        let ends: [(name: String, apply: (Observable<Int>) -> Observable<Int>)] = [
            ("catchAndReturn", { $0.take(1).catchAndReturn(1) }),
            (
                "asInfallible",
                { $0.take(1).asInfallible(onErrorJustReturn: 1).asObservable() }
            ),
            ("materialize", { $0.take(1).materialize().dematerialize() }),
            ("ifEmpty", { $0.take(1).map { $0 }.ifEmpty(default: 1) }),
            ("reduce", { $0.take(1).reduce(0, accumulator: { $0 + $1 }) }),
            ("catch", { $0.take(1).catch { _ in .just(1) } }),
        ]
        for (name, join, result) in joins {
            for end in ends {
                let hot = PublishSubject<Int>()
                let log = EventLog<Int>()
                _ = join(end.apply(source), hot).subscribe(log)
                for element in [10, 20] { hot.onNext(element) }
                hot.onCompleted()
                #expect(log.events == result, "\(end.name) in \(name)")
            }
        }
    }
}
