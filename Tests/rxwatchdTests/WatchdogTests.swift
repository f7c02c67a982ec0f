import Dispatch
import Foundation
import RxEngine
import RxPipelines
import Synchronization
import TestSupport
import Testing

@testable import rxwatchd

@Suite(.balanced) struct WatchdogTests {
    private let fed = Cell(0)

    private func watchdog(_ schedulers: [any SchedulerType]) -> Watchdog {
        let watchdog = Watchdog { [fed] in fed.update { $0 += 1 } }
        watchdog.watch(schedulers.map { WatchedScheduler($0) })
        return watchdog
    }

    @Test func feedsEveryRoundWithoutComponents() {
        let watchdog = watchdog([])
        for _ in 0..<3 { watchdog.round() }
        #expect(fed.value == 3)
    }

    @Test func feedsWhenAllComponentsAnswered() {
        let (one, other) = (ManualScheduler(), ManualScheduler())
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

    /// A component that evaluates an expression for as long as it may is fed for in time: with the interval of the unit,
    /// it answers two rounds before the end of the interval.
    @Test func longestEvaluationFitsIntoInterval() throws {
        let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let unit = try String(contentsOfFile: "/\(repository)/deploy/systemd/rxwatchd.service", encoding: .utf8)
        let line = try #require(unit.split(separator: "\n").first { $0.hasPrefix("WatchdogSec=") })
        let interval = Duration.seconds(try #require(Int(line.dropFirst(12).dropLast())))
        #expect(EvaluatorPool.defaultTime + interval / Watchdog.rounds * 2 < interval)
    }

    @Test func idleComponentsDoNotStopFeeding() {
        let idle = ManualScheduler()
        let watchdog = watchdog([idle])
        for round in 1...5 {
            watchdog.round()
            idle.answer()
            #expect(fed.value == round)
        }
    }

    /// One long expression after the other is progress, as long as every component that has not answered makes some.
    @Test func feedsWhileExpressionsMakeProgress() {
        let (one, other) = (ManualScheduler(), ManualScheduler())
        let (first, second) = (Cell(0), Cell(0))
        let watchdog = watchdog([])
        watchdog.watch([
            WatchedScheduler(one) { first.value }, WatchedScheduler(other) { second.value },
        ])
        watchdog.round()
        #expect(fed.value == 1)
        first.update { $0 += 1 }
        watchdog.round()
        #expect(fed.value == 1, "the other hangs")
        second.update { $0 += 1 }
        watchdog.round()
        #expect(fed.value == 2)
        watchdog.round()
        #expect(fed.value == 2, "no progress since")
        other.answer()
        first.update { $0 += 1 }
        watchdog.round()
        #expect(fed.value == 3)
        one.answer()
        watchdog.round()
        #expect(fed.value == 4)
        one.answer()
        other.answer()
    }

    @Test func removedComponentNeedNotAnswer() {
        let (hung, new) = (ManualScheduler(), ManualScheduler())
        let watchdog = watchdog([hung])
        watchdog.round()
        watchdog.watch([WatchedScheduler(new)])
        watchdog.round()
        #expect(fed.value == 2)
        // Its late answer is not mistaken for the new one's.
        hung.answer()
        watchdog.round()
        #expect(fed.value == 2)
        new.answer()
        watchdog.round()
        #expect(fed.value == 3)
        new.answer()
    }

    @Test func roundAsksEachComponentOnce() {
        let slow = ManualScheduler()
        let watchdog = watchdog([slow])
        for _ in 0..<5 { watchdog.round() }
        slow.answer()
        watchdog.round()
        slow.answer()
        watchdog.round()
        #expect(fed.value == 3)
        slow.answer()
    }

    @Test func changedComponentsAreWatchedFromNextRound() {
        let (old, new) = (ManualScheduler(), ManualScheduler())
        let watchdog = watchdog([old])
        watchdog.round()
        old.answer()
        watchdog.watch([WatchedScheduler(new)])
        watchdog.round()
        watchdog.round()
        #expect(fed.value == 2)
        new.answer()
        watchdog.round()
        #expect(fed.value == 3)
        new.answer()
    }

    /// With real threads: while a pipeline's queue hangs, the watchdog is not fed.
    @Test func hungComponentStopsFeeding() async throws {
        let (busy, idle) = (queue(), queue())
        let (hanging, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let watchdog = watchdog([busy, idle])
        let run = watchdog.start(.milliseconds(3))
        try await eventually("the watchdog is fed") { fed.value > 3 }

        _ = busy.schedule(()) {
            hanging.signal()
            go.wait()
            return Disposables.create()
        }
        #expect(hanging.wait(timeout: .now() + 10) == .success)
        // One feeding may be under way; then there is none, however often it is requested.
        for _ in 0..<3 { watchdog.round() }
        let hungry = fed.value
        for _ in 0..<100 { watchdog.round() }
        #expect(fed.value <= hungry + 1)

        go.signal()
        try await eventually("the watchdog is fed again") { fed.value > hungry + 3 }
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

/// A scheduler that runs its actions on a test's command.
private final class ManualScheduler: SchedulerType {
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
        // Passed to the single thread of a test.
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
