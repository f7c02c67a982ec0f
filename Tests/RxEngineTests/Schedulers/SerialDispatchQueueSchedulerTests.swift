import Dispatch
import FoundationEssentials
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct SerialDispatchQueueSchedulerTests {
    private let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")

    @Test func actionsRunInOrder() async throws {
        let log = Cell<[Int]>([])
        for number in 0..<100 {
            _ = scheduler.schedule(number) {
                log.append($0)
                return Disposables.create()
            }
        }
        try await eventually("all actions ran") { log.value.count == 100 }
        #expect(log.value == Array(0..<100))
    }

    static let schedulers: [@Sendable () -> SerialDispatchQueueScheduler] = [
        { SerialDispatchQueueScheduler(internalSerialQueueName: "own") },
        { SerialDispatchQueueScheduler(qos: .default) },
        {
            SerialDispatchQueueScheduler(
                queue: DispatchQueue(label: "concurrent", attributes: .concurrent), internalSerialQueueName: "on it")
        },
    ]

    @Test(arguments: schedulers) func noTwoActionsOverlap(make: @Sendable () -> SerialDispatchQueueScheduler)
        async throws
    {
        let scheduler = make()
        let state = Cell((running: 0, most: 0, ran: 0))
        for _ in 0..<1000 {
            _ = scheduler.schedule(()) {
                state.update {
                    $0.running += 1
                    $0.most = max($0.most, $0.running)
                }
                state.update {
                    $0.running -= 1
                    $0.ran += 1
                }
                return Disposables.create()
            }
        }
        try await eventually("all actions ran") { state.value.ran == 1000 }
        #expect(state.value.most == 1)
    }

    @Test func delayedActionIsNotEarly() async throws {
        let ran = Cell<Duration?>(nil)
        let start = scheduler.elapsed
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(20)) {
            ran.update { $0 = scheduler.elapsed }
            return Disposables.create()
        }
        try await eventually("the action ran") { ran.value != nil }
        #expect(try #require(ran.value) - start >= .milliseconds(20))
    }

    @Test func disposedDelayedActionDoesNotRun() async throws {
        let log = Cell<[Int]>([])
        // The queue is busy until both are scheduled, however short their delays.
        _ = scheduler.schedule(()) {
            scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
                log.append(1)
                return Disposables.create()
            }.dispose()
            return scheduler.scheduleRelative((), dueTime: .milliseconds(5)) {
                log.append(2)
                return Disposables.create()
            }
        }
        try await eventually("the second action ran") { !log.value.isEmpty }
        #expect(log.value == [2])
    }

    @Test func finishedActionsAreNotCounted() async throws {
        let before = (Resources.count(of: .timer), Resources.count(of: .subscription))
        let ran = Cell(false)
        let handle = scheduler.scheduleRelative((), dueTime: .milliseconds(1)) {
            ran.update { $0 = true }
            return Disposables.create()
        }
        try await eventually("the action ran, and the timer is released") {
            ran.value && Resources.count(of: .timer) == before.0
        }
        #expect(Resources.count(of: .subscription) == before.1)
        handle.dispose()
    }

    @Test func periodicActionReceivesItsState() async throws {
        let log = Cell<[Int]>([])
        let timer = scheduler.schedulePeriodic(0, startAfter: .milliseconds(1), period: .milliseconds(1)) {
            log.append($0)
            return $0 + 1
        }
        try await eventually("five ticks") { log.value.count >= 5 }
        timer.dispose()
        #expect(log.value.prefix(5) == [0, 1, 2, 3, 4])
    }

    @Test(arguments: [0, -5]) func periodOfZeroTicks(seconds: Int) async throws {
        let count = Cell(0)
        let timer = scheduler.schedulePeriodic((), startAfter: .seconds(seconds), period: .seconds(seconds)) {
            count.update { $0 += 1 }
        }
        try await eventually("many ticks") { count.value > 10 }
        timer.dispose()
    }

    @Test func clocksAreSystemClocks() {
        #expect(abs(scheduler.now.timeIntervalSinceNow) < 10)
        let first = scheduler.elapsed
        #expect(scheduler.elapsed >= first)
    }
}
