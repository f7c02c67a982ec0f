import FoundationEssentials
import RxEngine

/// Virtual time in microseconds, exact for durations of a configuration.
struct VirtualMicroseconds: VirtualTimeConverterType {
    func convertFromVirtualTime(_ time: Int) -> RxTime {
        RxTime(timeIntervalSinceReferenceDate: convertFromVirtualTimeInterval(time))
    }

    func convertToVirtualTime(_ time: RxTime) -> Int {
        convertToVirtualTimeInterval(time.timeIntervalSinceReferenceDate)
    }

    func convertFromVirtualTimeInterval(_ interval: Int) -> TimeInterval { Double(interval) / 1_000_000 }

    func convertToVirtualTimeInterval(_ interval: TimeInterval) -> Int {
        Int(exactly: (interval * 1_000_000).rounded()) ?? (interval < 0 ? .min : .max)
    }

    func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }

    func compareVirtualTime(_ one: Int, _ other: Int) -> VirtualTimeComparison {
        one < other ? .lessThan : one == other ? .equal : .greaterThan
    }
}
