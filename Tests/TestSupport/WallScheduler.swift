import FoundationEssentials
import RxEngine

/// A scheduler whose time of day jumps while its elapsed time continues, as the host's clock does when it is set.
package final class WallScheduler<Base: SchedulerType>: SchedulerType {
    package let base: Base
    private let shift: Cell<Int>

    /// - Parameter start: the seconds since 1970 when the base starts.
    package init(_ base: Base, start: Int = 0) {
        self.base = base
        shift = Cell(start)
    }

    /// Sets the time of day forward or back by a number of seconds.
    package func jump(by span: Int) {
        shift.update { $0 += span }
    }

    package var now: RxTime {
        base.now.addingTimeInterval(Double(shift.value))
    }
    package var elapsed: Duration { base.elapsed }

    package func schedule<State>(
        _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        base.schedule(state, action: action)
    }

    package func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        base.scheduleRelative(state, dueTime: dueTime, action: action)
    }
}
