import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// What one side cancels, the other side stops: at once, once, and also in a race with the end.
@Suite(.balanced) struct CancellationTests {
    /// Runs three child tasks that end only when they are cancelled.
    private struct Children: Sendable {
        let started = Cell(0)
        let cancelled = Cell(0)

        @Sendable func run(_ value: Int) async -> Int {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { await wait() } }
                async let third: Void = wait()
                await third
            }
            return value
        }

        private func wait() async {
            started.update { $0 += 1 }
            for await _ in AsyncStream<Int>.makeStream().stream {}
            if Task.isCancelled { cancelled.update { $0 += 1 } }
        }
    }

    private typealias Make = @Sendable (Children) -> Observable<Int>

    /// The sequences, and how many tasks each runs at the same time.
    private static let sequences: [(name: String, tasks: Int, make: Make)] = [
        ("mapAsync", 1, { Observable.of(1, 2, 3).mapAsync($0.run) }),
        ("flatMapAsync", 2, { Observable.of(1, 2, 3).flatMapAsync(maxConcurrent: 2, $0.run) }),
        ("Single.create", 1, { children in Single.create { await children.run(1) }.asObservable() }),
        ("detached", 1, { children in Single.create(detached: true) { await children.run(1) }.asObservable() }),
        ("asObservable", 1, { children in AsyncStream(unfolding: { await children.run(1) }).asObservable() }),
        (
            "asObservable(demand:)", 1,
            { children in
                AsyncStream(unfolding: { await children.run(1) }).asObservable(demand: Demand(limit: 1))
            }
        ),
        (
            "behind operators", 1,
            { children in
                Observable.just(1).mapAsync(children.run).map { $0 }.share().observe(on: MainScheduler.instance)
            }
        ),
    ]

    @Test(arguments: sequences.indices) func disposingCancelsTasksAndTheirChildren(_ index: Int) async throws {
        let (_, tasks, make) = Self.sequences[index]
        let children = Children()
        let events = Cell(0)
        let subscription = make(children).subscribe { _ in events.update { $0 += 1 } }
        try await eventually("the children run") { children.started.value == 3 * tasks }
        subscription.dispose()
        try await eventually("all children are cancelled") { children.cancelled.value == 3 * tasks }
        #expect(events.value == 0)
        #expect(children.started.value == 3 * tasks)
    }

    @Test(arguments: sequences.indices) func cancellingIterationCancelsTasksOfSource(_ index: Int) async throws {
        let (_, tasks, make) = Self.sequences[index]
        let children = Children()
        let task = Task { for try await _ in make(children).values {} }
        try await eventually("the children run") { children.started.value == 3 * tasks }
        task.cancel()
        try await eventually("all children are cancelled") { children.cancelled.value == 3 * tasks }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: sequences.indices) func cancellingAwaitedValueCancelsTasksOfSource(_ index: Int) async throws {
        let (_, tasks, make) = Self.sequences[index]
        let children = Children()
        let waits: [@Sendable (Observable<Int>) async throws -> Void] = [
            { _ = try await $0.asSingle().value }, { _ = try await $0.asMaybe().value },
            { try await $0.ignoreElements().asCompletable().value },
        ]
        for (count, wait) in waits.enumerated() {
            let task = Task { try await wait(make(children)) }
            try await eventually("the children run") { children.started.value == 3 * tasks * (count + 1) }
            task.cancel()
            try await eventually("all are cancelled") { children.cancelled.value == 3 * tasks * (count + 1) }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func errorOfOneTaskCancelsTheOthers() async throws {
        let children = Children()
        let log = Cell<[String]>([])
        let hasFailed = Cell(false)
        _ = Observable.of(1, 2, 3).flatMapAsync(maxConcurrent: 3) { value in
            if value < 3 { return await children.run(value) }
            while children.started.value < 6 { await Task.yield() }
            throw TestError("third")
        }.subscribe(onError: {
            log.append("\($0)")
            hasFailed.update { $0 = true }
        })
        try await eventually("the others are cancelled") { hasFailed.value && children.cancelled.value == 6 }
        #expect(log.value == ["third"])
    }

    @Test func cancellingIterationDisposesOnceInRaceWithElementsAndEnd() async throws {
        for round in 0..<300 {
            let subject = PublishSubject<Int>()
            let disposed = Cell(0)
            let source = subject.doFinally { disposed.update { $0 += 1 } }
            let received = Cell<[Int]>([])
            let task = Task { for try await value in source.values { received.append(value) } }
            try await eventually("it is subscribed to") { subject.hasObservers }
            let emitting = Task.detached {
                for value in 0..<round % 7 { subject.onNext(value) }
                if round % 2 == 0 { subject.onCompleted() } else { subject.onError(TestError()) }
            }
            let cancelling = Task.detached { task.cancel() }
            let result = await task.result
            await emitting.value
            await cancelling.value
            switch result {
            case .success: #expect(round % 2 == 0)
            case .failure(let error): #expect(error is CancellationError || error is TestError && round % 2 == 1)
            }
            #expect(disposed.value == 1)
            #expect(!subject.hasObservers)
            #expect(received.value == Array(0..<received.value.count))
        }
    }

    @Test func cancellingAwaitedValueDisposesOnceInRaceWithOutcome() async throws {
        let waits: [@Sendable (Observable<Int>) async throws -> Int?] = [
            { try await $0.asSingle().value }, { try await $0.asMaybe().value },
            {
                try await $0.ignoreElements().asCompletable().value
                return 1
            },
        ]
        for round in 0..<300 {
            let subject = PublishSubject<Int>()
            let disposed = Cell(0)
            let source = subject.doFinally { disposed.update { $0 += 1 } }
            let wait = waits[round % 3]
            let task = Task { try await wait(source) }
            try await eventually("it is subscribed to") { subject.hasObservers }
            let emitting = Task.detached {
                if round % 2 == 0 { subject.onNext(1) }
                if round % 4 < 3 { subject.onCompleted() } else { subject.onError(TestError()) }
            }
            let cancelling = Task.detached { task.cancel() }
            switch await task.result {
            case .success(let element): #expect(element == 1 || round % 3 == 1 && element == nil)
            case .failure(let error): #expect(error is CancellationError || error is TestError || error is RxError)
            }
            await emitting.value
            await cancelling.value
            #expect(disposed.value == 1)
            #expect(!subject.hasObservers)
        }
    }

    @Test func waitingIterationIsDisposedInsideCancel() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let task = Task(executorPreference: scheduler.asExecutor()) {
            do {
                for try await value in subject.values { log.append("\(value)") }
            } catch {
                log.append("\(type(of: error))")
            }
        }
        // Runs the task until it waits.
        scheduler.start()
        subject.onNext(1)
        scheduler.start()
        #expect(log.value == ["1"])
        task.cancel()
        #expect(!subject.hasObservers)
        subject.onNext(2)
        scheduler.start()
        #expect(log.value == ["1", "CancellationError"])
    }

    @Test func busyIterationIsDisposedWhenItAsksForNextElement() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let task = Task(executorPreference: scheduler.asExecutor()) {
            for try await _ in subject.values { try? await scheduler.asClock().sleep(for: .seconds(10)) }
        }
        scheduler.start()
        subject.onNext(1)
        scheduler.advanceTo(5)
        task.cancel()
        #expect(subject.hasObservers)
        scheduler.start()
        #expect(!subject.hasObservers)
        #expect(scheduler.clock == 5)
    }

    /// A thread may begin the work of some tasks before they are cancelled; in a few, it may just be about to.
    @Test func workThatHasNotBegunNeverDoes() async throws {
        let late = Cell<[String: Int]>([:])
        let counter = PullCounter()
        /// Counts the work that begins after the subscription was disposed.
        func disposeAtOnce(_ kind: String, _ subscribe: (_ work: @escaping @Sendable () -> Void) -> any Disposable) {
            let isDisposed = Cell(false)
            subscribe { if isDisposed.value { late.update { $0[kind, default: 0] += 1 } } }.dispose()
            isDisposed.update { $0 = true }
        }
        for _ in 0..<1000 {
            disposeAtOnce("single") { work in Single.create { work() }.subscribe() }
            disposeAtOnce("map") { work in Observable.just(1).mapAsync { _ in work() }.subscribe() }
            disposeAtOnce("sequence") { PullCounter(onPull: $0).numbers(upTo: 1).asObservable().subscribe() }
            counter.numbers(upTo: 1).asObservable().subscribe().dispose()
        }
        // Tasks of the same priority run in the order in which they were made.
        try await eventually("the last one runs") { counter.running == 0 }
        await Task.detached {}.value
        #expect(late.value.values.allSatisfy { $0 < 50 }, "of 1000: \(late.value)")
    }

    @Test(arguments: [false, true]) func disposingInRaceWithResultDeliversAtMostOnce(detached: Bool) async throws {
        for round in 0..<300 {
            let ended = Cell(0)
            let log = Cell<[String]>([])
            let source: Observable<Int> = Observable.of(1, 2).flatMapAsync(maxConcurrent: 2) { value in
                for _ in 0..<round % 5 { await Task.yield() }
                return value
            }
            let single = Single.create(detached: detached) {
                for _ in 0..<round % 5 { await Task.yield() }
                return 3
            }
            let subscriptions = [
                source.subscribe(onCompleted: { log.append("many") }, onDisposed: { ended.update { $0 += 1 } }),
                single.subscribe(onSuccess: { _ in log.append("one") }, onDisposed: { ended.update { $0 += 1 } }),
            ]
            for _ in 0..<round % 3 { await Task.yield() }
            for subscription in subscriptions { subscription.dispose() }
            try await eventually("both have ended") { ended.value == 2 }
            #expect(Set(log.value).count == log.value.count)
        }
    }

    @Test func disposingAsyncSequenceInRaceWithElements() async throws {
        for round in 0..<300 {
            let counter = PullCounter()
            let received = Cell<[Int]>([])
            let numbers = counter.numbers(upTo: .max)
            let source = round % 2 == 0 ? numbers.asObservable() : numbers.asObservable(demand: Demand(limit: 1))
            let subscription = source.subscribe(onNext: { received.append($0) })
            for _ in 0..<round % 4 { await Task.yield() }
            subscription.dispose()
            try await eventually("the iteration has ended") { counter.running == 0 }
            #expect(received.value == Array(1..<received.value.count + 1))
        }
    }
}
