import CLinux
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct WallClockTests {
    /// A step by a nanosecond: the kernel treats it as any other, and no clock is any the worse for it.
    private static func step() -> Bool {
        var change = timex()
        change.modes = UInt32(ADJ_SETOFFSET | ADJ_NANO)
        change.time.tv_usec = 1
        return clock_adjtime(CLOCK_REALTIME, &change) >= 0
    }

    @Test(.enabled(if: step(), "setting the clock takes CAP_SYS_TIME"))
    func aStepOfTheClockIsTold() async throws {
        let log = Box(0)
        let (one, other) = (
            WallClock.jumps.subscribe(onNext: { log.update { $0 += 1 } }),
            WallClock.jumps.subscribe(onNext: { log.update { $0 += 1 } })
        )
        #expect(Self.step())
        try await eventually("both are told") { log.value >= 2 }
        one.dispose()
        let before = log.value
        #expect(Self.step())
        try await eventually("the other is told again") { log.value > before }
        other.dispose()
    }

    @Test func oneDescriptorServesAll() async {
        await #expect(processExitsWith: .success) {
            WallClock.jumps.subscribe().dispose()
            let before = ProcessStatistics.current().descriptors
            let subscriptions = (0..<50).map { _ in WallClock.jumps.subscribe() }
            #expect(ProcessStatistics.current().descriptors < before + 25)
            for subscription in subscriptions { subscription.dispose() }
        }
    }

    @Test func withoutADescriptorItFails() async {
        await #expect(processExitsWith: .success) {
            // Dispatch has what it needs by then.
            WallClock.jumps.subscribe().dispose()
            let log = Box<[String]>([])
            try await withoutDescriptors {
                WallClock.jumps.subscribe(onError: { error in log.append("\(error)") }).dispose()
            }
            #expect(log.value == ["making a timer for the time of day: Too many open files"])
        }
    }
}
