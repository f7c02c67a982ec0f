import Dispatch
import Synchronization

// Unchecked: immutable, but for an atomic.
/// A scheduler that runs actions on the main queue, one at a time, in the order in which they were scheduled.
///
/// An action runs at once if the caller is on the main queue and no other action of the scheduler is queued or running;
/// otherwise it runs asynchronously.
///
/// Something must serve the main queue: `dispatchMain()`, a run loop, or an asynchronous `main`. Until then, the
/// program's main thread counts as the main queue; afterwards, the thread that serves the queue does.
public final class MainScheduler: SerialDispatchQueueScheduler, @unchecked Sendable {
    /// The shared scheduler. All actions that are scheduled on it keep their order.
    public static let instance = MainScheduler()

    /// A scheduler that runs actions on the main queue and always asynchronously, which breaks re-entrancy.
    public static let asyncInstance = SerialDispatchQueueScheduler(serialQueue: .main)

    /// The number of actions that are queued or running.
    private let pending = Atomic(0)

    /// Creates a scheduler whose actions keep no order with those of ``MainScheduler/instance``.
    public init() {
        super.init(serialQueue: .main)
    }

    /// Runs `action` on the main queue, at once if possible.
    ///
    /// It runs at once if the caller is on the main queue and no other action is queued or running, and otherwise
    /// asynchronously.
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
        if BlockingWatch.isOn { BlockingWatch.run(on: queue.label, item.run) } else { item.run() }
        pending.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }

    /// Stops the program with `errorMessage` if the caller is not on the main queue.
    public static func ensureExecutingOnScheduler(errorMessage: String? = nil) {
        guard MainQueue.isCurrent else {
            fatalError(errorMessage ?? "this runs on the main queue only: use observe(on: MainScheduler.instance)")
        }
    }

    /// Stops the program with `errorMessage` if the caller is not on the main queue, whose thread is the main thread.
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        guard MainQueue.isCurrent else { fatalError(errorMessage ?? "this runs on the main thread only") }
    }
}

/// Identifies the main queue.
enum MainQueue {
    private static let specificKey: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Whether the caller runs on the main queue. Comparing threads would be wrong: `dispatchMain()` ends the main
    /// thread, and other threads serve its queue from then on.
    static var isCurrent: Bool {
        DispatchQueue.getSpecific(key: specificKey) != nil
    }
}
