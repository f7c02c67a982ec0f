import Dispatch
import FoundationEssentials
import RxEngine

/// A scheduler for code that must schedule nothing: each use of it is recorded as an issue.
///
/// ```swift
/// let model = SearchModel(scheduler: UnimplementedScheduler("the scheduler of SearchModel"))
/// ```
///
/// The issue names the method that an operator has called, such as `scheduleRelative(dueTime: 2s)`, and is recorded
/// where the scheduler was made. No action runs.
public struct UnimplementedScheduler: SchedulerType {
    private let name: String
    private let location: IssueLocation

    /// Makes a scheduler.
    ///
    /// - Parameters:
    ///   - name: what it is called in issues.
    ///   - file: the file in which issues are recorded.
    ///   - line: the line in which issues are recorded.
    public init(_ name: String = "an unimplemented scheduler", file: String = #filePath, line: Int = #line) {
        self.name = name
        location = IssueLocation(file, line)
    }

    /// Records an issue, and returns the beginning of 1970.
    public var now: RxTime {
        report("now")
        return Date(timeIntervalSince1970: 0)
    }

    /// Records an issue, and returns zero.
    public var elapsed: Duration {
        report("elapsed")
        return .zero
    }

    /// Records an issue, and does not run the action.
    ///
    /// - Returns: a disposable without effect.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        report("schedule()")
        return Disposables.create()
    }

    /// Records an issue, and does not run the action.
    ///
    /// - Returns: a disposable without effect.
    @preconcurrency
    public func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        report("scheduleRelative(dueTime: \(dueTime.text))")
        return Disposables.create()
    }

    /// Records an issue, and does not run the action.
    ///
    /// - Returns: a disposable without effect.
    @preconcurrency
    public func schedulePeriodic<StateType>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        report("schedulePeriodic(startAfter: \(startAfter.text), period: \(period.text))")
        return Disposables.create()
    }

    private func report(_ call: String) {
        location.record("\(call) of \(name) was called: pass a TestScheduler if the test is to schedule")
    }
}

extension RxTimeInterval {
    fileprivate var text: String {
        switch self {
        case .seconds(let count): "\(count)s"
        case .milliseconds(let count): "\(count)ms"
        case .microseconds(let count): "\(count)us"
        case .nanoseconds(let count): "\(count)ns"
        case .never: "never"
        @unknown default: "\(self)"
        }
    }
}
