import Foundation
import RxEngine

// Unchecked: immutable, and an operation queue may be used from any thread.
/// A scheduler that runs actions as operations of a queue.
public final class OperationQueueScheduler: ImmediateSchedulerType, @unchecked Sendable {
    /// The queue that runs the actions.
    public let operationQueue: OperationQueue
    /// The priority of the actions in the queue.
    public let queuePriority: Operation.QueuePriority

    /// Makes a scheduler that runs actions on `operationQueue`.
    ///
    /// The queue determines how many actions run at once, and so whether they stay in order.
    ///
    /// - Parameters:
    ///   - operationQueue: runs the actions.
    ///   - queuePriority: the priority of the actions in the queue.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Adds `action` to the queue.
    ///
    /// The queue chooses the thread that runs it.
    ///
    /// - Returns: a disposable that cancels the action if it has not started, and then releases it at once.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        let operation: BlockOperation
        if BlockingWatch.isOn {
            operation = BlockOperation { [name = operationQueue.name] in
                BlockingWatch.run(on: name ?? "an operation queue", item.run)
            }
        } else {
            operation = BlockOperation(block: item.run)
        }
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
        return item
    }
}
