import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ConcurrentDispatchQueueSchedulerTests {
    static let schedulers: [@Sendable () -> ConcurrentDispatchQueueScheduler] = [
        { ConcurrentDispatchQueueScheduler(qos: .default) },
        { ConcurrentDispatchQueueScheduler(qos: .default, leeway: .milliseconds(1)) },
        { ConcurrentDispatchQueueScheduler(queue: DispatchQueue(label: "concurrent", attributes: .concurrent)) },
    ]

    @Test(arguments: schedulers) func actionsMayOverlap(make: @Sendable () -> ConcurrentDispatchQueueScheduler)
        async throws
    {
        let scheduler = make()
        let release = DispatchSemaphore(value: 0)
        let log = Cell<[Int]>([])
        _ = scheduler.schedule(1) {
            release.wait()
            log.append($0)
            return Disposables.create()
        }
        _ = scheduler.schedule(2) {
            log.append($0)
            release.signal()
            return Disposables.create()
        }
        try await eventually("both actions ran") { log.value.count == 2 }
        #expect(log.value == [2, 1])
    }

    @Test func disposableReturnedByActionIsDisposedWithIt() async throws {
        let log = Cell<[String]>([])
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        let item = scheduler.schedule(()) {
            log.append("ran")
            return Disposables.create { log.append("disposed") }
        }
        try await eventually("the action ran") { log.value == ["ran"] }
        item.dispose()
        // The action may still be running when it has logged that it ran.
        try await eventually("the returned disposable was disposed") { log.value == ["ran", "disposed"] }
    }

    @Test func clocksAreSystemClocks() {
        let scheduler = ConcurrentDispatchQueueScheduler(qos: .default)
        #expect(abs(scheduler.now.timeIntervalSinceNow) < 10)
        let first = scheduler.elapsed
        #expect(scheduler.elapsed >= first)
    }
}
