import Dispatch
import Foundation
import RxEngine
import RxEngineFoundation
import TestSupport
import Testing

@Suite(.balanced) struct OperationQueueSchedulerTests {
    private let queue = OperationQueue()

    @Test func actionsRunInOperationQueue() async throws {
        let log = Cell<[Int]>([])
        queue.maxConcurrentOperationCount = 1
        let scheduler = OperationQueueScheduler(operationQueue: queue)
        #expect(scheduler.operationQueue === queue)
        #expect(scheduler.queuePriority == .normal)
        for number in 0..<20 {
            _ = scheduler.schedule(number) {
                log.append($0)
                return Disposables.create()
            }
        }
        try await eventually("all actions ran") { log.value.count == 20 }
        #expect(log.value == Array(0..<20))
    }

    @Test func queuePriorityIsApplied() async throws {
        let log = Cell<[String]>([])
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        for (name, priority) in [("low", Operation.QueuePriority.low), ("high", .high)] {
            let scheduler = OperationQueueScheduler(operationQueue: queue, queuePriority: priority)
            _ = scheduler.schedule(name) {
                log.append($0)
                return Disposables.create()
            }
        }
        queue.isSuspended = false
        try await eventually("both actions ran") { log.value.count == 2 }
        #expect(log.value == ["high", "low"])
    }

    private final class TrackedObject: Sendable {}

    @Test func disposedActionDoesNotRunAndIsReleased() async throws {
        let log = Cell<[Int]>([])
        queue.isSuspended = true
        let scheduler = OperationQueueScheduler(operationQueue: queue)
        weak var held: TrackedObject?
        do {
            let object = TrackedObject()
            held = object
            scheduler.schedule(object) { object in
                withExtendedLifetime(object) { log.append(1) }
                return Disposables.create()
            }.dispose()
        }
        #expect(held == nil)
        _ = scheduler.schedule(2) {
            log.append($0)
            return Disposables.create()
        }
        queue.isSuspended = false
        try await eventually("the second action ran") { log.value == [2] }
    }

    @Test func disposableReturnedByActionIsDisposedWithIt() async throws {
        let log = Cell<[String]>([])
        let item = OperationQueueScheduler(operationQueue: queue).schedule(()) {
            log.append("ran")
            return Disposables.create { log.append("disposed") }
        }
        try await eventually("the action ran") { log.value == ["ran"] }
        item.dispose()
        try await eventually("the returned disposable was disposed") { log.value == ["ran", "disposed"] }
    }

    #if DEBUG
    @Test func actionThatBlocksIsReported() async throws {
        queue.name = "test.operations"
        let reports = Cell<[BlockedScheduler]>([])
        let (isReported, isOver) = (DispatchSemaphore(value: 0), Cell(false))
        Hooks.blockedAfter = .milliseconds(5)
        Hooks.onBlocked = {
            reports.append($0)
            isReported.signal()
        }
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: OperationQueueScheduler(operationQueue: queue)).subscribe(onNext: { _ in
            #expect(isReported.wait(timeout: .now() + 10) == .success)
            isOver.update { $0 = true }
        })
        subject.onNext(1)
        try await eventually("the action has ended") { isOver.value }
        subscription.dispose()
        Hooks.onBlocked = nil
        Hooks.blockedAfter = .seconds(1)
        #expect(reports.value.map(\.queue) == ["test.operations"])
        #expect(reports.value.map(\.operation) == [.observeOn])
    }
    #endif
}
