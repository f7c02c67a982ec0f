import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The operators in virtual time, whose scheduler replaces the main thread.
@Suite(.balanced) struct SharedOperatorsTests {
    typealias Events = [Recorded<Event<Int>>]

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (Driver<Int>) -> Driver<Int>
        let events: Events

        init(_ name: String, _ make: @escaping @Sendable (Driver<Int>) -> Driver<Int>, _ events: Events) {
            testDescription = name
            self.make = make
            self.events = events
        }
    }

    static let source: Events = [
        .next(190, 0), .next(210, 1), .next(220, 2), .next(230, 2), .next(240, 3), .completed(300),
    ]

    static func emitted(_ values: (Int, Int)..., end: Int = 300) -> Events {
        values.map { .next($0.0, $0.1) } + [.completed(end)]
    }

    static let unchanged = emitted((210, 1), (220, 2), (230, 2), (240, 3))

    static let operators: [Row] = [
        Row("map", { $0.map { $0 * 10 } }, emitted((210, 10), (220, 20), (230, 20), (240, 30))),
        Row("compactMap", { $0.compactMap { $0 == 2 ? nil : $0 } }, emitted((210, 1), (240, 3))),
        Row("filter", { $0.filter { $0 != 2 } }, emitted((210, 1), (240, 3))),
        Row("scan", { $0.scan(0) { $0 + $1 } }, emitted((210, 1), (220, 3), (230, 5), (240, 8))),
        Row("skip", { $0.skip(2) }, emitted((230, 2), (240, 3))),
        Row("distinctUntilChanged()", { $0.distinctUntilChanged() }, emitted((210, 1), (220, 2), (240, 3))),
        Row("distinctUntilChanged(key)", { $0.distinctUntilChanged { $0 / 2 } }, emitted((210, 1), (220, 2))),
        Row(
            "distinctUntilChanged(comparer)", { $0.distinctUntilChanged { $1 - $0 == 1 } }, emitted((210, 1), (240, 3))),
        Row(
            "distinctUntilChanged(key, comparer)", { $0.distinctUntilChanged({ $0 * 2 }, comparer: { $1 - $0 == 2 }) },
            emitted((210, 1), (240, 3))
        ),
        Row("startWith", { $0.startWith(7) }, [.next(200, 7)] + unchanged),
        Row("flatMap", { $0.flatMap { .just($0 + 1) } }, emitted((210, 2), (220, 3), (230, 3), (240, 4))),
        Row("flatMapLatest", { $0.flatMapLatest { .just($0 + 1) } }, emitted((210, 2), (220, 3), (230, 3), (240, 4))),
        Row("flatMapFirst", { $0.flatMapFirst { .just($0 + 1) } }, emitted((210, 2), (220, 3), (230, 3), (240, 4))),
        Row(
            "flatMap to a signal", { $0.flatMap { Signal.just($0) }.asDriver(onErrorJustReturn: -1) }, unchanged
        ),
        Row(
            "flatMapLatest to a signal",
            {
                $0.flatMapLatest { value in
                    Signal<Int>.timer(.seconds(4), period: .seconds(500)).map { value * 10 + $0 }
                }
                .asDriver(onErrorJustReturn: -1)
            },
            [.next(214, 10), .next(224, 20), .next(234, 20), .next(244, 30), .next(744, 31)]
        ),
        Row("switchLatest", { $0.map { Driver.just($0) }.switchLatest() }, unchanged),
        Row("merge()", { $0.map { Driver.just($0) }.merge() }, unchanged),
        Row(
            "merge(maxConcurrent:)",
            { $0.map { Driver.just($0).delay(.seconds(15)) }.merge(maxConcurrent: 1) },
            emitted((225, 1), (240, 2), (255, 2), (270, 3))
        ),
        Row("throttle", { $0.throttle(.seconds(12)) }, emitted((210, 1), (222, 2), (234, 2), (246, 3))),
        Row("throttle, not latest", { $0.throttle(.seconds(12), latest: false) }, emitted((210, 1), (230, 2))),
        Row("debounce", { $0.debounce(.seconds(15)) }, emitted((255, 3))),
        Row("delay", { $0.delay(.seconds(5)) }, emitted((215, 1), (225, 2), (235, 2), (245, 3), end: 305)),
        Row(
            "withLatestFrom, selector", { $0.withLatestFrom(Driver.just(7)) { $0 * $1 } },
            emitted((210, 7), (220, 14), (230, 14), (240, 21))
        ),
        Row("withLatestFrom", { $0.withLatestFrom(Driver.just(7)) }, emitted((210, 7), (220, 7), (230, 7), (240, 7))),
        Row("do", { $0.do(onNext: { _ in }, onCompleted: {}) }, unchanged),
        Row("asDriver", { $0.asDriver() }, unchanged),
        Row("asSharedSequence", { $0.asSharedSequence() }, unchanged),
        Row("createUnsafe", { Driver.createUnsafe(source: $0.asObservable()) }, unchanged),
        Row("asInfallible", { $0.asInfallible().asDriver() }, unchanged),
        Row(
            "concat", { .concat([$0, .of(8, 9)]) }, emitted((210, 1), (220, 2), (230, 2), (240, 3), (300, 8), (300, 9))),
        Row("merge of two", { .merge($0.filter { $0 == 1 }, $0.filter { $0 == 3 }) }, emitted((210, 1), (240, 3))),
        Row("merge of a list", { .merge([$0, .just(9)]) }, [.next(200, 9)] + unchanged),
        Row("merge of none", { _ in .merge([]) }, [.completed(200)]),
        Row("concat of none", { _ in .concat([]) }, [.completed(200)]),
        Row(
            "combineLatest of none", { _ in .combineLatest([Driver<Int>]()) { $0.count } }, emitted((200, 0), end: 200)),
        Row("zip of none", { _ in .zip([Driver<Int>]()) { $0.count } }, [.completed(200)]),
        Row(
            "combineLatest of a list", { .combineLatest([$0, .just(5)]).map { $0.reduce(0, +) } },
            emitted((210, 6), (220, 7), (230, 7), (240, 8))
        ),
        Row("zip of a list", { .zip([$0, .of(5, 6)]).map { $0.reduce(0, +) } }, emitted((210, 6), (220, 8), end: 230)),
        Row(
            "zip of a list, selector", { .zip([$0, .of(5, 6)]) { $0[0] * $0[1] } },
            emitted((210, 5), (220, 12), end: 230)),
        Row(
            "a selector that throws", { .combineLatest([$0]) { if $0[0] == 2 { throw TestError() } else { $0[0] } } },
            emitted((210, 1), end: 220)
        ),
    ]

    /// Runs `body` with a clock in the place of the main thread.
    static func virtually<Result>(_ body: (TestScheduler) -> Result) -> Result {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        return SharingScheduler.mock(scheduler: scheduler) { body(scheduler) }
    }

    @Test(arguments: operators) func rules(row: Row) {
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        Hooks.defaultErrorHandler = { _, _ in }
        Self.virtually { scheduler in
            let hot = scheduler.createHotObservable(Self.source)
            let second = scheduler.createObserver(Int.self)
            let subscription = SerialDisposable()
            let first = scheduler.start {
                let driver = row.make(hot.asDriver(onErrorJustReturn: -1)).asObservable()
                scheduler.scheduleAt(201) { subscription.disposable = driver.subscribe(second) }
                scheduler.scheduleAt(1000) { subscription.dispose() }
                return driver
            }
            #expect(first.events == row.events)
            if !row.testDescription.contains("none") {
                // The second subscribes at 201: only elements that are emitted at once can be replayed.
                #expect(second.events.filter { $0.time > 201 } == row.events.filter { $0.time > 201 })
                #expect(Set(hot.subscriptions.map(\.subscribe)) == [200])
            }
        }
    }

    @Test func closureRunsOnceForAllSubscribers() {
        let calls = Cell<[Int]>([])
        Self.virtually { scheduler in
            let hot = scheduler.createHotObservable(Self.source)
            let driver = hot.asDriver(onErrorJustReturn: -1).map { value in
                calls.append(value)
                return value
            }
            let third = scheduler.createObserver(Int.self)
            for _ in 0..<2 { scheduler.scheduleAt(200) { _ = driver.drive() } }
            scheduler.scheduleAt(225) { _ = driver.drive(third) }
            scheduler.start()
            #expect(third.events == [.next(225, 2), .next(230, 2), .next(240, 3), .completed(300)])
            #expect(hot.subscriptions == [Subscription(200, 300)])
        }
        #expect(calls.value == [1, 2, 2, 3])
    }

    @Test func sideEffectsRunOnceInOrder() {
        let log = Cell<[String]>([])
        Self.virtually { scheduler in
            let driver = scheduler.createHotObservable([.next(210, 1), .completed(220)])
                .asDriver(onErrorJustReturn: -1)
                .do(
                    onNext: { log.append("onNext \($0)") }, afterNext: { log.append("afterNext \($0)") },
                    onCompleted: { log.append("onCompleted") }, afterCompleted: { log.append("afterCompleted") },
                    onSubscribe: { log.append("onSubscribe") }, onSubscribed: { log.append("onSubscribed") },
                    onDispose: { log.append("onDispose") }
                )
            for name in ["first", "second"] {
                scheduler.scheduleAt(200) {
                    _ = driver.drive(onNext: { log.append("\(name) \($0)") }, onCompleted: { log.append(name) })
                }
            }
            scheduler.start()
        }
        #expect(
            log.value == [
                "onSubscribe", "onSubscribed", "onNext 1", "first 1", "second 1", "afterNext 1", "onCompleted", "first",
                "second", "afterCompleted", "onDispose",
            ]
        )
    }

    // MARK: - Making

    static let factories: [Row] = [
        Row("empty", { _ in .empty() }, [.completed(200)]),
        Row("never", { _ in .never() }, []),
        Row("just", { _ in .just(1) }, emitted((200, 1), end: 200)),
        Row("of", { _ in .of(1, 2) }, emitted((200, 1), (200, 2), end: 200)),
        Row("from an array", { _ in .from([1, 2]) }, emitted((200, 1), (200, 2), end: 200)),
        Row("from a sequence", { _ in .from(1...2) }, emitted((200, 1), (200, 2), end: 200)),
        Row("from an optional", { _ in .from(optional: 1) }, emitted((200, 1), end: 200)),
        Row("from nil", { _ in .from(optional: nil) }, [.completed(200)]),
        Row("interval", { _ in .interval(.seconds(300)) }, [.next(500, 0), .next(800, 1)]),
        Row(
            "timer", { _ in .timer(.seconds(50), period: .seconds(300)) },
            [.next(250, 0), .next(550, 1), .next(850, 2)]),
        Row("deferred", { _ in .deferred { .just(1) } }, emitted((200, 1), end: 200)),
    ]

    @Test(arguments: factories) func factoriesFollowRules(row: Row) {
        Self.virtually { scheduler in
            let observer = scheduler.start { row.make(.never()).asObservable() }
            #expect(observer.events == row.events)
        }
    }

    // MARK: - Errors

    static let failing: Events = [.next(210, 1), .error(220, TestError())]

    @Test func errorIsReplaced() {
        typealias Policy = (TestableObservable<Int>) -> Observable<Int>
        let policies: [(name: String, policy: Policy, events: Events)] = [
            (
                "onErrorJustReturn", { $0.asDriver(onErrorJustReturn: -1).asObservable() },
                [.next(210, 1), .next(220, -1), .completed(220)]
            ),
            (
                "onErrorDriveWith", { $0.asDriver(onErrorDriveWith: .interval(.seconds(300))).asObservable() },
                [.next(210, 1), .next(520, 0), .next(820, 1)]
            ),
            (
                "onErrorRecover", { $0.asDriver { .just("\($0)".count) }.asObservable() },
                [.next(210, 1), .next(220, 10), .completed(220)]
            ),
            (
                "signal, onErrorJustReturn", { $0.asSignal(onErrorJustReturn: -1).asObservable() },
                [.next(210, 1), .next(220, -1), .completed(220)]
            ),
            (
                "signal, onErrorSignalWith", { $0.asSignal(onErrorSignalWith: .empty()).asObservable() },
                [.next(210, 1), .completed(220)]
            ),
            (
                "signal, onErrorRecover", { $0.asSignal { .just("\($0)".count) }.asObservable() },
                [.next(210, 1), .next(220, 10), .completed(220)]
            ),
        ]
        for (name, policy, events) in policies {
            Self.virtually { scheduler in
                let hot = scheduler.createHotObservable(Self.failing)
                let source = policy(hot)
                #expect(scheduler.start { source }.events == events, "\(name)")
                #expect(hot.subscriptions == [Subscription(200, 220)], "\(name)")
            }
        }
    }
}
