import Dispatch
import FoundationEssentials
import RxEngine
import Synchronization
import TestSupport
import Testing

@testable import rxwatchd

@Suite(.balanced) struct WatchdogTests {
    private let fed = Box(0)

    private func watchdog(_ schedulers: [any SchedulerType]) -> Watchdog {
        let watchdog = Watchdog { [fed] in fed.update { $0 += 1 } }
        watchdog.watch(schedulers)
        return watchdog
    }

    @Test func withNothingToWatchItFeedsEveryRound() {
        let watchdog = watchdog([])
        for _ in 0..<3 { watchdog.round() }
        #expect(fed.value == 3)
    }

    @Test func itFeedsAgainWhenAllHaveAnswered() {
        let (one, other) = (PatientScheduler(), PatientScheduler())
        let watchdog = watchdog([one, other])
        watchdog.round()
        #expect(fed.value == 1)
        watchdog.round()
        one.answer()
        watchdog.round()
        #expect(fed.value == 1)
        other.answer()
        watchdog.round()
        #expect(fed.value == 2)
    }

    @Test func theIdleAreNoReasonToStop() {
        let idle = PatientScheduler()
        let watchdog = watchdog([idle])
        for round in 1...5 {
            watchdog.round()
            idle.answer()
            #expect(fed.value == round)
        }
    }

    @Test func whatIsNoLongerWatchedNeedNotAnswer() {
        let (hung, new) = (PatientScheduler(), PatientScheduler())
        let watchdog = watchdog([hung])
        watchdog.round()
        watchdog.watch([new])
        watchdog.round()
        #expect(fed.value == 2)
        // Its late answer is not taken for the new one's.
        hung.answer()
        watchdog.round()
        #expect(fed.value == 2)
        new.answer()
        watchdog.round()
        #expect(fed.value == 3)
        new.answer()
    }

    @Test func aRoundAsksOnce() {
        let slow = PatientScheduler()
        let watchdog = watchdog([slow])
        for _ in 0..<5 { watchdog.round() }
        slow.answer()
        watchdog.round()
        slow.answer()
        watchdog.round()
        #expect(fed.value == 3)
        slow.answer()
    }

    @Test func fromTheNextRoundOnItWatchesOthers() {
        let (old, new) = (PatientScheduler(), PatientScheduler())
        let watchdog = watchdog([old])
        watchdog.round()
        old.answer()
        watchdog.watch([new])
        watchdog.round()
        watchdog.round()
        #expect(fed.value == 2)
        new.answer()
        watchdog.round()
        #expect(fed.value == 3)
        new.answer()
    }

    /// The real thing: a pipeline's queue that hangs keeps the food away for as long as it does.
    @Test func oneThatHangsKeepsTheFoodAway() async throws {
        let (busy, idle) = (queue(), queue())
        let (hanging, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let watchdog = watchdog([busy, idle])
        let run = watchdog.start(.milliseconds(3))
        try await eventually("it feeds") { fed.value > 3 }

        _ = busy.schedule(()) {
            hanging.signal()
            go.wait()
            return Disposables.create()
        }
        #expect(hanging.wait(timeout: .now() + 10) == .success)
        // One feeding may be on its way; then there is none, however often it is asked for.
        for _ in 0..<3 { watchdog.round() }
        let hungry = fed.value
        for _ in 0..<100 { watchdog.round() }
        #expect(fed.value <= hungry + 1)

        go.signal()
        try await eventually("it feeds again") { fed.value > hungry + 3 }
        run.dispose()
        try await eventually("both queues are idle") {
            let answered = DispatchSemaphore(value: 0)
            for queue in [busy, idle] {
                _ = queue.schedule(()) {
                    answered.signal()
                    return Disposables.create()
                }
            }
            return (0..<2).allSatisfy { _ in answered.wait(timeout: .now() + 10) == .success }
        }
    }

    private func queue() -> SerialDispatchQueueScheduler {
        SerialDispatchQueueScheduler(internalSerialQueueName: "test")
    }
}

/// Does what it is asked to when it is told to.
private final class PatientScheduler: SchedulerType {
    private let waiting = Mutex<[@Sendable () -> Void]>([])

    var now: RxTime { Date() }

    func answer() {
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for action in due { action() }
    }

    func schedule<State>(
        _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        // Handed on to the one thread of a test.
        nonisolated(unsafe) let state = state
        waiting.withLock { $0.append { _ = action(state) } }
        return Disposables.create()
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        schedule(state, action: action)
    }
}
