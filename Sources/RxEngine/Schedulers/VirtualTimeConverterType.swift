import FoundationEssentials

/// How two points of virtual time lie to each other.
public enum VirtualTimeComparison: Sendable {
    /// The first is earlier.
    case lessThan
    /// They are the same.
    case equal
    /// The first is later.
    case greaterThan
}

/// Says what a virtual scheduler's units of time mean.
@preconcurrency
public protocol VirtualTimeConverterType: Sendable {
    /// The type of a point of virtual time.
    associatedtype VirtualTimeUnit: Sendable
    /// The type of a span of virtual time.
    associatedtype VirtualTimeIntervalUnit: Sendable

    /// The wall-clock time that a point of virtual time stands for.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime

    /// The point of virtual time that stands for a wall-clock time.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit

    /// The seconds that a span of virtual time stands for.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval

    /// The span of virtual time that stands for a number of seconds.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit

    /// The point of virtual time that lies `offset` after `time`.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit

    /// How two points of virtual time lie to each other.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}
