import Dispatch
import RxEngine

/// Workloads that cross threads or wait for a time.
let schedulerWorkloads = [
    Workload("observeOn", rxSwift: 2945, isSteady: false) { count in
        let done = DispatchSemaphore(value: 0)
        let subscription = Observable.range(start: 0, count: count)
            .observe(on: SerialDispatchQueueScheduler(internalSerialQueueName: "bench"))
            .subscribe(onNext: drain.take, onCompleted: { done.signal() })
        done.wait()
        subscription.dispose()
    },
    Workload("schedule", isSteady: false) { count in
        let done = DispatchSemaphore(value: 0)
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
        for _ in 1..<max(count, 2) { _ = scheduler.schedule(()) { Disposables.create() } }
        _ = scheduler.schedule(()) {
            done.signal()
            return Disposables.create()
        }
        done.wait()
    },
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
