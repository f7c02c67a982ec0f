import Dispatch
import Synchronization

// Unchecked: immutable, but for an atomic.
/// Runs actions on the main queue, one at a time, in the order scheduled: at once where the caller is on the main queue
/// already and none of its actions is waiting or running, otherwise later.
///
/// Something must serve the main queue: `dispatchMain()`, a run loop, or an asynchronous `main`. The main thread of a
/// program counts as the main queue until then; afterwards whichever thread serves the queue does.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    /// The scheduler. Whoever shares it keeps the order between its actions.
    public static let instance = MainScheduler()

    /// Runs actions on the main queue, and never at once: it breaks re-entrancy.
    public static let asyncInstance = SerialDispatchQueueScheduler(serialQueue: .main)

    /// How many actions wait or run.
    private let pending = Atomic(0)

    /// A scheduler whose actions keep no order with those of ``MainScheduler/instance``.
    public init() {
        super.init(serialQueue: .main)
    }

    /// Runs `action` at once or, off the main queue or behind other actions, later.
    @preconcurrency
    public override func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        let isFirst = pending.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
        if isFirst, MainQueue.isCurrent {
            run(item)
        } else {
            queue.async { self.run(item) }
        }
        return item
    }

    private func run(_ item: ScheduledItem) {
        item.run()
        pending.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }

    /// Traps off the main queue.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        guard MainQueue.isCurrent else {
            fatalError(errorMessage ?? "this runs on the main queue only: use observe(on: MainScheduler.instance)")
        }
    }

    /// Traps off the main queue: the thread that serves it is the main thread.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        guard MainQueue.isCurrent else { fatalError(errorMessage ?? "this runs on the main thread only") }
    }
}

/// Tells the main queue from others.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether the caller runs on the main queue. To compare threads would not do: `dispatchMain()` ends the main
    /// thread, and other threads serve its queue from then on.
    static var isCurrent: Bool {
        DispatchQueue.getSpecific(key: mark) != nil
    }
}
