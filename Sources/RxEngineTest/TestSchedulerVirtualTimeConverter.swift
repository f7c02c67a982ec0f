import FoundationEssentials
import RxEngine

/// Says that a unit of a test's virtual time stands for `resolution` seconds.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType {
    private let resolution: TimeInterval

    init(resolution: TimeInterval) {
        self.resolution = resolution
    }

    /// The wall-clock time that a virtual time stands for, counted from 1970.
    public func convertFromVirtualTime(_ virtualTime: TestTime) -> RxTime {
        Date(timeIntervalSince1970: TimeInterval(virtualTime) * resolution)
    }

    /// The virtual time nearest to a wall-clock time.
    public func convertToVirtualTime(_ time: RxTime) -> TestTime {
        convertToVirtualTimeInterval(time.timeIntervalSince1970)
    }

    /// The seconds that a virtual span stands for.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// The virtual span nearest to a number of seconds.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        let units = (timeInterval / resolution).rounded()
        return units < TimeInterval(Int.max) ? Int(units) : .max
    }

    /// The virtual time `offset` after `time`.
    public func offsetVirtualTime(_ time: TestTime, offset: Int) -> TestTime {
        time + offset
    }

    /// How two virtual times lie to each other.
    public func compareVirtualTime(_ lhs: TestTime, _ rhs: TestTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs == rhs ? .equal : .greaterThan
    }
}
