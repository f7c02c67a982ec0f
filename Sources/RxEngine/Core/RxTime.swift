import Dispatch
import FoundationEssentials

/// A span of time, the type that schedulers and time operators take.
public typealias RxTimeInterval = DispatchTimeInterval

/// A point of wall-clock time. Only the public interface uses it; the engine itself uses monotonic time.
public typealias RxTime = Date

extension DispatchTimeInterval {
    /// The span in nanoseconds, `nil` for ``DispatchTimeInterval/never``; one too long for 64 bits is clamped.
    package var nanoseconds: Int64? {
        func scaled(_ count: Int, _ unit: Int64) -> Int64 {
            let (value, overflow) = Int64(count).multipliedReportingOverflow(by: unit)
            return overflow ? (count < 0 ? .min : .max) : value
        }
        switch self {
        case .seconds(let count): return scaled(count, 1_000_000_000)
        case .milliseconds(let count): return scaled(count, 1_000_000)
        case .microseconds(let count): return scaled(count, 1_000)
        case .nanoseconds(let count): return Int64(count)
        case .never: return nil
        @unknown default: return nil
        }
    }

    /// The span as a number of seconds.
    package var seconds: TimeInterval {
        nanoseconds.map { TimeInterval($0) / 1_000_000_000 } ?? .infinity
    }
}

extension Duration {
    /// The span in whole nanoseconds, clamped to 64 bits.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }

    /// The span in the type that schedulers take.
    package var interval: RxTimeInterval {
        .nanoseconds(Int(nanoseconds))
    }
}
