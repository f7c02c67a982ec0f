import RxEngine
import RxEngineTest
import Testing

@testable import RxLinux

@Suite struct WakeUpSharingTests {
    /// A step is a hundredth of the period, and 10 ms at most. Due times are rounded up, none is early.
    @Test(
        arguments: [
            (TickSchedule(every: .seconds(5)), [(1, 10_000_000), (9_999_999, 10_000_000), (10_000_000, 10_000_000)]),
            (TickSchedule(every: .seconds(5)), [(10_000_001, 20_000_000), (0, 0), (-7, -7), (.max, .max)]),
            (TickSchedule(every: .milliseconds(10)), [(1, 100_000), (100_000, 100_000), (250_001, 300_000)]),
        ] as [(TickSchedule, [(Int64, Int64)])])
    func dueTimeIsRoundedUp(schedule: TickSchedule, rows: [(due: Int64, shared: Int64)]) {
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        for (due, shared) in rows { #expect(WakeUpSharing(schedule, on: scheduler).shared(due) == shared, "\(due)") }
    }

    @Test func virtualTimeIsExact() {
        let sharing = WakeUpSharing(TickSchedule(every: .seconds(5)), on: TestScheduler(initialClock: 0))
        #expect([0, 1, 10_000_001].map(sharing.shared) == [0, 1, 10_000_001])
    }
}
