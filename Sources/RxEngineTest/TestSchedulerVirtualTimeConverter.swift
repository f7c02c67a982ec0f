import FoundationEssentials
import RxEngine

/// Converts units of virtual time to `resolution` seconds each.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType {
    private let resolution: TimeInterval

    init(resolution: TimeInterval) {
        self.resolution = resolution
    }

    /// Converts a virtual time to wall-clock time, counted from 1970.
    public func convertFromVirtualTime(_ virtualTime: TestTime) -> RxTime {
        Date(timeIntervalSince1970: TimeInterval(virtualTime) * resolution)
    }

    /// Converts a wall-clock time to the nearest virtual time.
    public func convertToVirtualTime(_ time: RxTime) -> TestTime {
        convertToVirtualTimeInterval(time.timeIntervalSince1970)
    }

    /// Converts a virtual interval to seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// Converts a number of seconds to the nearest virtual interval.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        let units = (timeInterval / resolution).rounded()
        return units < TimeInterval(Int.min) ? .min : units < TimeInterval(Int.max) ? Int(units) : .max
    }

    /// Returns the virtual time `offset` after `time`, or the last one that there is.
    public func offsetVirtualTime(_ time: TestTime, offset: Int) -> TestTime {
        let (sum, overflow) = time.addingReportingOverflow(offset)
        return !overflow ? sum : offset > 0 ? .max : .min
    }

    /// Compares two virtual times.
    public func compareVirtualTime(_ lhs: TestTime, _ rhs: TestTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs == rhs ? .equal : .greaterThan
    }
}
