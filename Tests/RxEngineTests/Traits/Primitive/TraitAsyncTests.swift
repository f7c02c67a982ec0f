import RxEngine
import TestSupport
import Testing

/// Tests of traits and tasks: awaiting an outcome, and singles made from a task.
@Suite(.balanced) struct TraitAsyncTests {
    @Test func outcomesAreAwaited() async throws {
        #expect(try await Single.just(1).value == 1)
        #expect(try await Maybe.just(1).value == 1)
        #expect(try await Maybe<Int>.empty().value == nil)
        try await Completable.empty().value
        await #expect(throws: TestError("e")) { try await Single<Int>.error(TestError("e")).value }
        await #expect(throws: TestError("e")) { try await Maybe<Int>.error(TestError("e")).value }
        await #expect(throws: TestError("e")) { try await Completable.error(TestError("e")).value }
    }

    /// A sequence that ends inside `subscribe` has its outcome before the cancellation can dispose it.
    @Test func taskCancelledBeforeStartHasSynchronousOutcome() async throws {
        let waits: [@Sendable () async throws -> Int?] = [
            { try await Single.just(1).value }, { try await Maybe.just(1).value },
            { try await Observable.of(1).asSingle().value },
            {
                try await Completable.empty().value
                return 1
            },
        ]
        for wait in waits {
            let gate = AsyncStream<Void>.makeStream()
            let task = Task {
                for await _ in gate.stream {}
                #expect(Task.isCancelled)
                return try await wait()
            }
            task.cancel()
            gate.continuation.finish()
            #expect(try await task.value == 1)
        }
    }

    @Test func taskCancelledBeforeStartDoesNotWait() async throws {
        let subject = PublishSubject<Int>()
        let gate = AsyncStream<Void>.makeStream()
        let task = Task {
            for await _ in gate.stream {}
            return try await subject.asSingle().value
        }
        task.cancel()
        gate.continuation.finish()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!subject.hasObservers)
    }

    @Test func outcomeFromOtherThreadIsAwaited() async throws {
        let subject = PublishSubject<Int>()
        let task = Task { try await subject.asSingle().value }
        try await eventually("the task subscribes") { subject.hasObservers }
        subject.onNext(1)
        subject.onCompleted()
        #expect(try await task.value == 1)
    }

    @Test func cancellingTaskDisposesSubscription() async throws {
        let subject = PublishSubject<Int>()
        let ends = PublishSubject<Never>()
        let waits: [(hasObservers: @Sendable () -> Bool, wait: @Sendable () async throws -> Void)] = [
            ({ subject.hasObservers }, { _ = try await subject.asSingle().value }),
            ({ subject.hasObservers }, { _ = try await subject.asMaybe().value }),
            ({ ends.hasObservers }, { try await ends.asCompletable().value }),
        ]
        for (hasObservers, wait) in waits {
            let task = Task { try await wait() }
            try await eventually("the task subscribes") { hasObservers() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!hasObservers())
        }
    }

    @Test func outcomeMayRaceWithCancellation() async throws {
        for _ in 0..<200 {
            let subject = PublishSubject<Int>()
            let isOver = Cell(false)
            let task = Task { try await subject.asSingle().value }
            let emitting = Task {
                while !subject.hasObservers, !isOver.value { await Task.yield() }
                subject.onNext(1)
                subject.onCompleted()
            }
            let cancelling = Task {
                while !subject.hasObservers, !isOver.value { await Task.yield() }
                task.cancel()
            }
            switch await task.result {
            case .success(let value): #expect(value == 1)
            case .failure(let error): #expect(error is CancellationError)
            }
            isOver.update { $0 = true }
            await emitting.value
            await cancelling.value
        }
    }

    @Test(arguments: [false, true]) func singleIsMadeOfTask(detached: Bool) async throws {
        let single = Single<Int>.create(detached: detached, priority: .high) {
            await Task.yield()
            return 1
        }
        #expect(try await single.value == 1)
        let failing = Single<Int>.create(detached: detached) { throw TestError("e") }
        await #expect(throws: TestError("e")) { try await failing.value }
    }

    @Test func detachedTaskInheritsNothing() async throws {
        let here = Single<Int>.create { Local.value }
        let detached = Single<Int>.create(detached: true) { Local.value }
        let (inherited, original) = try await Local.$value.withValue(1) {
            (try await here.value, try await detached.value)
        }
        #expect(inherited == 1)
        #expect(original == 0)
    }

    private enum Local {
        @TaskLocal static var value = 0
    }

    @Test func disposeCancelsTask() async throws {
        let log = Cell<[String]>([])
        let subscription = Single<Int>.create {
            log.append("started")
            while !Task.isCancelled { await Task.yield() }
            log.append("cancelled")
            return 1
        }.subscribe(
            onSuccess: { log.append("success \($0)") }, onFailure: { log.append("failure \($0)") },
            onDisposed: { log.append("disposed") })
        try await eventually("the task runs") { log.value.first == "started" }
        subscription.dispose()
        try await eventually("the task ends") { log.value.count == 3 }
        #expect(Set(log.value.dropFirst()) == ["disposed", "cancelled"])
    }
}
