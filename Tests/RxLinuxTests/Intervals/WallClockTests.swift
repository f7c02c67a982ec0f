import CLinux
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct WallClockTests {
    /// A step by a nanosecond: the kernel treats it as any other step, and no clock is disturbed.
    private static func step() -> Bool {
        var change = timex()
        change.modes = UInt32(ADJ_SETOFFSET | ADJ_NANO)
        change.time.tv_usec = 1
        return clock_adjtime(CLOCK_REALTIME, &change) >= 0
    }

    @Test(.enabled(if: step(), "setting the clock takes CAP_SYS_TIME"))
    func clockStepIsEmitted() async throws {
        let log = Cell(0)
        let (one, other) = (
            WallClock.jumps.subscribe(onNext: { log.update { $0 += 1 } }),
            WallClock.jumps.subscribe(onNext: { log.update { $0 += 1 } })
        )
        #expect(Self.step())
        try await eventually("both subscribers receive the jump") { log.value >= 2 }
        one.dispose()
        let before = log.value
        #expect(Self.step())
        try await eventually("the remaining subscriber receives another jump") { log.value > before }
        other.dispose()
    }

    @Test func subscribersShareOneDescriptor() async {
        await #expect(processExitsWith: .success) {
            WallClock.jumps.subscribe().dispose()
            let before = ProcessStatistics.current().descriptors
            let subscriptions = (0..<50).map { _ in WallClock.jumps.subscribe() }
            #expect(ProcessStatistics.current().descriptors < before + 25)
            for subscription in subscriptions { subscription.dispose() }
        }
    }

    @Test func failsWithoutDescriptor() async {
        await #expect(processExitsWith: .success) {
            // Dispatch has its descriptors by then.
            WallClock.jumps.subscribe().dispose()
            let log = Cell<[String]>([])
            // The descriptor of the subscription before is closed on another thread, and can be had again meanwhile.
            let end = ContinuousClock.now + .seconds(10)
            while log.value.isEmpty, ContinuousClock.now < end {
                try await withoutDescriptors {
                    WallClock.jumps.subscribe(onError: { error in log.append("\(error)") }).dispose()
                }
            }
            #expect(log.value == ["making a timer for the time of day: Too many open files"])
        }
    }
}
