import Dispatch
import RxEngine

/// Workloads that cross threads or wait for a time.
let schedulerWorkloads = [
    Workload("observeOn", rxSwift: 2945, isSteady: false) { count in
        runToEnd(
            Observable.range(start: 0, count: count)
                .observe(on: SerialDispatchQueueScheduler(internalSerialQueueName: "bench")))
    },
    Workload("observeOn-executor", isSteady: false) { count in
        runToEnd(
            Observable.range(start: 0, count: count)
                .observe(on: ExecutorScheduler(taskExecutor: globalConcurrentExecutor)))
    },
    // Queued before they are iterated.
    Workload("values", isSteady: false) { count in
        let values = Observable.range(start: 0, count: count).values
        iterate { for try await value in values { drain.take(value) } }
    },
    Workload("values-demand", isSteady: false) { count in
        let demand = Demand(limit: 64)
        let values = Observable.range(start: 0, count: count).values(demand: demand)
        iterate { for try await value in values { drain.take(value) } }
    },
    // Each element is asked for when there is room, on another thread than the one that takes it.
    Workload("demand", isSteady: false) { count in
        let demand = Demand(limit: 64)
        let values = Numbers(count: count).asObservable(demand: demand).values(demand: demand)
        iterate { for try await value in values { drain.take(value) } }
    },
    Workload("mapAsync", isSteady: false) { count in
        runToEnd(Observable.range(start: 0, count: count).mapAsync { $0 &+ 1 })
    },
    Workload("flatMapAsync", isSteady: false) { count in
        runToEnd(Observable.range(start: 0, count: count).flatMapAsync(maxConcurrent: 4) { $0 &+ 1 })
    },
    // What the part holds back does not exceed the limit.
    Workload("counted-mapAsync", isSteady: false) { count in
        let demand = Demand(limit: 64)
        runToEnd(Numbers(count: count).asObservable(demand: demand).counted(in: demand) { $0.mapAsync { $0 &+ 1 } })
    },
    Workload("executor", isSteady: false) { count in
        let executor = SerialDispatchQueueScheduler(internalSerialQueueName: "bench").asExecutor()
        iterate(on: executor) { for _ in 0..<count { await Task.yield() } }
    },
    scheduling("schedule") { SerialDispatchQueueScheduler(internalSerialQueueName: "bench") },
    scheduling("schedule-clock") { ClockScheduler(ContinuousClock()) },
    // Armed for later than the run lasts, and cancelled before.
    Workload("timers", isSteady: false) { count in
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
        let timers = (0..<count).map { index in
            scheduler.scheduleRelative((), dueTime: .seconds(3600 + index % 1000)) { Disposables.create() }
        }
        timers.forEach { $0.dispose() }
    },
    Workload("debounce", isSteady: false) { count in
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
        let subject = PublishSubject<Int>()
        let subscription = subject.debounce(.seconds(3600), scheduler: scheduler).subscribe(onNext: drain.take)
        for value in 0..<count { subject.onNext(value) }
        subscription.dispose()
    },
    Workload("timeout", isSteady: false) { count in
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
        Observable.pump(count, through: { $0.timeout(.seconds(3600), scheduler: scheduler) }, to: drain.take)
    },
    Workload("throttle", isSteady: false) { count in
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
        let subject = PublishSubject<Int>()
        let subscription = subject.throttle(.seconds(3600), scheduler: scheduler).subscribe(onNext: drain.take)
        for value in 0..<count { subject.onNext(value) }
        subscription.dispose()
    },
    Workload("trampoline") { count in
        _ = CurrentThreadScheduler.instance.schedule(()) {
            for value in 0..<count {
                _ = CurrentThreadScheduler.instance.schedule(value) {
                    drain.take($0)
                    return Disposables.create()
                }
            }
            return Disposables.create()
        }
    },
    Workload("virtual-time") { count in
        let scheduler = HistoricalScheduler()
        let subscription = Observable<Int>.interval(.seconds(1), scheduler: scheduler).take(count).subscribe(
            onNext: drain.take)
        scheduler.start()
        subscription.dispose()
    },
    // In no order of time, all queued before the first runs.
    Workload("virtual-time-many") { count in
        let scheduler = HistoricalScheduler()
        for index in 0..<count {
            _ = scheduler.scheduleRelative(index, dueTime: .seconds(index &* 7919 % 10_007)) {
                drain.take($0)
                return Disposables.create()
            }
        }
        scheduler.start()
    },
    // Due at once, in the order of their deadlines.
    Workload("timers-due", isSteady: false) { count in
        let done = DispatchSemaphore(value: 0)
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
        for index in 1..<max(count, 2) {
            _ = scheduler.scheduleRelative((), dueTime: .nanoseconds(index &* 7919 % 10_007)) { Disposables.create() }
        }
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
            done.signal()
            return Disposables.create()
        }
        done.wait()
    },
]

/// A row for an action without delay.
private func scheduling(_ name: String, on make: @escaping @Sendable () -> any SchedulerType) -> Workload {
    Workload(name, isSteady: false) { count in
        let done = DispatchSemaphore(value: 0)
        let scheduler = make()
        for _ in 1..<max(count, 2) { _ = scheduler.schedule(()) { Disposables.create() } }
        _ = scheduler.schedule(()) {
            done.signal()
            return Disposables.create()
        }
        done.wait()
    }
}

/// Subscribes, and waits until the sequence has completed.
private func runToEnd(_ sequence: Observable<Int>) {
    let done = DispatchSemaphore(value: 0)
    let subscription = sequence.subscribe(onNext: drain.take, onCompleted: { done.signal() })
    done.wait()
    subscription.dispose()
}

/// Runs a task and waits until it has ended.
private func iterate(on executor: (any TaskExecutor)? = nil, _ body: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached(executorPreference: executor) {
        try await body()
        done.signal()
    }
    done.wait()
}

/// An async sequence of numbers.
private struct Numbers: AsyncSequence, Sendable {
    let count: Int

    func makeAsyncIterator() -> Iterator {
        Iterator(count: count)
    }

    struct Iterator: AsyncIteratorProtocol {
        let count: Int
        var last = 0

        mutating func next() async -> Int? {
            guard last < count else { return nil }
            last += 1
            return last
        }
    }
}
