#if DEBUG
import Dispatch
@testable import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct BlockingWatchTests {
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test.blocked")

    /// Runs `start` while the hook is set; what blocks calls `hold`, which returns when the hook was called.
    private func reports(
        _ start: (@escaping @Sendable () -> Void) -> any Disposable
    ) async throws -> [BlockedScheduler] {
        let found = Cell<[BlockedScheduler]>([])
        let isReported = DispatchSemaphore(value: 0)
        let isOver = Cell(false)
        Hooks.blockedAfter = .milliseconds(5)
        Hooks.onBlocked = {
            found.append($0)
            isReported.signal()
        }
        let subscription = start {
            #expect(isReported.wait(timeout: .now() + 10) == .success)
            isOver.update { $0 = true }
        }
        try await eventually("the action has ended") { isOver.value }
        subscription.dispose()
        Hooks.onBlocked = nil
        Hooks.blockedAfter = .seconds(1)
        return found.value
    }

    @Test func actionThatHoldsItsThreadIsReportedOnce() async throws {
        let reports = try await reports { hold in
            scheduler.schedule(()) {
                hold()
                return Disposables.create()
            }
        }
        #expect(reports.count == 1)
        #expect(reports.first?.queue == "test.blocked")
        #expect((reports.first?.duration ?? .zero) >= .milliseconds(5))
        #expect(reports.first?.operation == nil)
        #expect(reports.first?.description.hasPrefix("test.blocked: an action, has run for ") == true)
    }

    @Test func operatorOfTimerIsNamed() async throws {
        #if TRACE_RESOURCES
        Resources.recording = .subscriptions
        defer { Resources.recording = .off }
        let subject = PublishSubject<Int>()
        let reports = try await reports { hold in
            let subscription = subject.debounce(.milliseconds(1), scheduler: scheduler).checkpoint("orders")
                .subscribe(onNext: { _ in hold() })
            subject.onNext(1)
            return subscription
        }
        #expect(reports.map(\.operation) == [.debounce])
        #expect(reports.map(\.checkpoint) == ["orders"])
        #expect(
            reports.first?.description.hasPrefix("test.blocked: debounce, checkpoint \"orders\", has run for ") == true)
        #endif
    }

    @Test(arguments: [Operator.interval, .timer]) func operatorThatMakesTicksIsNamed(operation: Operator) async throws {
        #if TRACE_RESOURCES
        Resources.recording = .subscriptions
        defer { Resources.recording = .off }
        let reports = try await reports { hold in
            let ticks =
                operation == .interval
                ? Observable<Int>.interval(.milliseconds(1), scheduler: scheduler)
                : .timer(.milliseconds(1), scheduler: scheduler)
            return ticks.checkpoint("clock").take(1).subscribe(onNext: { _ in hold() })
        }
        #expect(reports.map(\.operation) == [operation])
        #expect(reports.map(\.checkpoint) == ["clock"])
        #endif
    }

    @Test(arguments: [
        (Duration.milliseconds(7), "q: an action, has run for 7 ms"),
        (.microseconds(999_999), "q: an action, has run for 999 ms"),
        (.seconds(1), "q: an action, has run for 1.0 s"), (.milliseconds(61_250), "q: an action, has run for 61.2 s"),
    ])
    func reportSaysHowLong(duration: Duration, text: String) {
        #expect("\(BlockedScheduler(queue: "q", duration: duration, operation: nil, checkpoint: nil))" == text)
    }

    @Test func operatorThatChangesThreadIsNamed() async throws {
        let subject = PublishSubject<Int>()
        let reports = try await reports { hold in
            let subscription = subject.observe(on: scheduler).subscribe(onNext: { _ in hold() })
            subject.onNext(1)
            return subscription
        }
        #expect(reports.map(\.operation) == [.observeOn])
    }

    @Test func actionOfMainSchedulerIsReported() async throws {
        let subject = PublishSubject<Int>()
        let reports = try await reports { hold in
            let subscription = subject.observe(on: MainScheduler.instance).subscribe(onNext: { _ in hold() })
            subject.onNext(1)
            return subscription
        }
        #expect(reports.map(\.operation) == [.observeOn])
        #expect(reports.map(\.queue) == ["com.apple.main-thread"])
    }

    @Test func actionsOfConcurrentSchedulerAreReported() async throws {
        let queue = DispatchQueue(label: "test.concurrent", attributes: .concurrent)
        let scheduler = ConcurrentDispatchQueueScheduler(queue: queue)
        let reports = try await reports { hold in
            scheduler.schedule(()) {
                hold()
                return Disposables.create()
            }
        }
        #expect(reports.map(\.queue) == ["test.concurrent"])

        let timed = try await self.reports { hold in
            Observable<Int>.timer(.milliseconds(1), scheduler: scheduler).subscribe(onNext: { _ in hold() })
        }
        #expect(timed.map(\.queue) == ["test.concurrent"])
    }

    @Test func actionsOnActorAndExecutorsAreReported() async throws {
        let schedulers: [(ExecutorScheduler, name: String)] = [
            (ExecutorScheduler(actor: Ledger()), "Ledger"),
            (ExecutorScheduler(QueueExecutor()), "QueueExecutor"),
            (ExecutorScheduler(taskExecutor: QueueExecutor()), "QueueExecutor"),
        ]
        for (scheduler, name) in schedulers {
            let subject = PublishSubject<Int>()
            let reports = try await reports { hold in
                let subscription = subject.observe(on: scheduler).subscribe(onNext: { _ in hold() })
                subject.onNext(1)
                return subscription
            }
            #expect(reports.map(\.queue) == [name])
            #expect(reports.map(\.operation) == [.observeOn])
        }
    }

    private actor Ledger {}

    private final class QueueExecutor: SerialExecutor, TaskExecutor {
        private let queue = DispatchQueue(label: "test.executor")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
    }

    @Test func actionThatRunsAtOnceOnMainSchedulerIsReported() async throws {
        let reports = try await reports { hold in
            let subscription = SingleAssignmentDisposable()
            DispatchQueue.main.async {
                subscription.setDisposable(
                    ConcurrentMainScheduler.instance.schedule(()) {
                        hold()
                        return Disposables.create()
                    })
            }
            return subscription
        }
        #expect(reports.map(\.queue) == ["com.apple.main-thread"])
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max), .nanoseconds(Int64.max)])
    func anyLimitIsAccepted(limit: Duration) {
        Hooks.onBlocked = { _ in }
        Hooks.blockedAfter = limit
        #expect(Hooks.blockedAfter == limit)
        Hooks.onBlocked = nil
        Hooks.blockedAfter = .seconds(1)
    }
}
#endif
