import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct MainSchedulerTests {
    /// Runs `body` on the main queue.
    private func onMain(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                body()
                continuation.resume()
            }
        }
    }

    @Test func runsAtOnceOnMainQueue() async {
        let log = Cell<[Int]>([])
        let scheduler = MainScheduler()
        await onMain {
            _ = scheduler.schedule(1) {
                log.append($0)
                return Disposables.create()
            }
            log.append(2)
        }
        #expect(log.value == [1, 2])
    }

    @Test func runsLaterOnMainQueueFromOtherThreads() async throws {
        let isOnMain = Cell<Bool?>(nil)
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        _ = MainScheduler.instance.schedule(()) {
            MainScheduler.ensureExecutingOnScheduler()
            MainScheduler.ensureRunningOnMainThread()
            isOnMain.update { $0 = DispatchQueue.getSpecific(key: mark) == true }
            return Disposables.create()
        }
        try await eventually("the action ran") { isOnMain.value == true }
        DispatchQueue.main.setSpecific(key: mark, value: nil)
    }

    @Test func actionsDoNotOvertakeQueuedActions() async throws {
        let log = Cell<[Int]>([])
        let scheduler = MainScheduler()
        await onMain {
            @Sendable func note(_ number: Int) {
                _ = scheduler.schedule(number) {
                    log.append($0)
                    return Disposables.create()
                }
            }
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                note(1)
                done.signal()
            }
            done.wait()
            note(2)
            #expect(log.value == [])
        }
        try await eventually("both actions ran") { log.value.count == 2 }
        #expect(log.value == [1, 2])
        await onMain {
            _ = scheduler.schedule(3) {
                log.append($0)
                return Disposables.create()
            }
            #expect(log.value == [1, 2, 3])
        }
    }

    @Test func actionsDoNotNest() async throws {
        let log = Cell<[Int]>([])
        let scheduler = MainScheduler()
        await onMain {
            _ = scheduler.schedule(()) {
                _ = scheduler.schedule(()) {
                    log.append(2)
                    return Disposables.create()
                }
                log.append(1)
                return Disposables.create()
            }
        }
        try await eventually("both actions ran") { log.value.count == 2 }
        #expect(log.value == [1, 2])
    }

    @Test func asynchronousInstanceNeverRunsAtOnce() async throws {
        let log = Cell<[Int]>([])
        await onMain {
            _ = MainScheduler.asyncInstance.schedule(2) {
                log.append($0)
                return Disposables.create()
            }
            log.append(1)
        }
        try await eventually("the action ran") { log.value.count == 2 }
        #expect(log.value == [1, 2])
    }

    static let schedulers: [any SchedulerType] = [
        MainScheduler.instance, MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
    ]

    /// The action may run at once or later.
    @Test(arguments: schedulers, [true, false]) func disposableReturnedByActionIsRetained(
        scheduler: any SchedulerType, isOnMain: Bool
    ) async throws {
        let log = Cell<[String]>([])
        let handle = Cell<(any Disposable)?>(nil)
        let schedule: @Sendable () -> Void = {
            let item = scheduler.schedule(()) {
                log.append("ran")
                return Disposables.create { log.append("disposed") }
            }
            handle.update { $0 = item }
        }
        if isOnMain { await onMain(schedule) } else { schedule() }
        try await eventually("the action ran") { log.value == ["ran"] }
        handle.value?.dispose()
        try await eventually("the returned disposable was disposed") { log.value == ["ran", "disposed"] }
    }

    @Test func disposedActionDoesNotRun() async throws {
        let log = Cell<[Int]>([])
        let scheduler = MainScheduler()
        await onMain {
            _ = scheduler.schedule(()) {
                scheduler.schedule(1) {
                    log.append($0)
                    return Disposables.create()
                }.dispose()
                _ = scheduler.schedule(2) {
                    log.append($0)
                    return Disposables.create()
                }
                return Disposables.create()
            }
        }
        try await eventually("the second action ran") { !log.value.isEmpty }
        #expect(log.value == [2])
    }

    @Test func concurrentMainSchedulerOvertakes() async throws {
        let log = Cell<[Int]>([])
        await onMain {
            for number in [1, 2] {
                _ = ConcurrentMainScheduler.instance.schedule(()) {
                    if number == 1 {
                        _ = ConcurrentMainScheduler.instance.schedule(()) {
                            log.append(3)
                            return Disposables.create()
                        }
                    }
                    log.append(number)
                    return Disposables.create()
                }
            }
            #expect(log.value == [3, 1, 2])
        }
    }

    @Test func clocksAreSystemClocks() {
        for scheduler in Self.schedulers {
            #expect(abs(scheduler.now.timeIntervalSinceNow) < 10)
            let first = scheduler.elapsed
            #expect(scheduler.elapsed >= first)
        }
    }

    @Test func ensureTrapsOffMainQueue() async {
        await #expect(processExitsWith: .failure) {
            DispatchQueue(label: "another").sync { MainScheduler.ensureExecutingOnScheduler() }
        }
        await #expect(processExitsWith: .failure) {
            DispatchQueue(label: "another").sync { MainScheduler.ensureRunningOnMainThread(errorMessage: "off main") }
        }
        await #expect(processExitsWith: .success) {
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async {
                    MainScheduler.ensureExecutingOnScheduler(errorMessage: "on main")
                    MainScheduler.ensureRunningOnMainThread()
                    continuation.resume()
                }
            }
        }
    }

    @Test @MainActor func mainActorRunsOnMainQueue() {
        MainScheduler.ensureExecutingOnScheduler()
        let log = Cell<[Int]>([])
        _ = MainScheduler().schedule(1) {
            log.append($0)
            return Disposables.create()
        }
        #expect(log.value == [1])
    }
}
