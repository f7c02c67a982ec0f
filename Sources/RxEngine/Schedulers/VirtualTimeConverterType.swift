import FoundationEssentials

/// The order of two points of virtual time.
public enum VirtualTimeComparison: Sendable {
    /// The first is earlier.
    case lessThan
    /// The two points are the same.
    case equal
    /// The first is later.
    case greaterThan
}

/// A converter between the units of a virtual-time scheduler and wall-clock time.
@preconcurrency
public protocol VirtualTimeConverterType: Sendable {
    /// The type of a point of virtual time.
    associatedtype VirtualTimeUnit: Sendable
    /// The type of an interval of virtual time.
    associatedtype VirtualTimeIntervalUnit: Sendable

    /// Returns the wall-clock time of a point of virtual time.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime

    /// Returns the point of virtual time of a wall-clock time.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit

    /// Returns the seconds of an interval of virtual time.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval

    /// Returns the interval of virtual time of a number of seconds.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit

    /// Returns the point of virtual time that is `offset` after `time`.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit

    /// Compares two points of virtual time.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}
