import Foundation
import RxEngine

// Unchecked: immutable, and an operation queue may be used from any thread.
/// Runs actions as operations of a queue.
public final class OperationQueueScheduler: ImmediateSchedulerType, @unchecked Sendable {
    /// The queue.
    public let operationQueue: OperationQueue
    /// The priority of the actions in it.
    public let queuePriority: Operation.QueuePriority

    /// A scheduler that runs actions on `operationQueue`. How many run at a time, and so whether they keep an order, is
    /// for the queue to say.
    public init(operationQueue: OperationQueue, queuePriority: Operation.QueuePriority = .normal) {
        self.operationQueue = operationQueue
        self.queuePriority = queuePriority
    }

    /// Adds `action` to the queue. One that is disposed before it runs is let go of at once.
    @preconcurrency
    public func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let item = ScheduledItem(state, action)
        let operation = BlockOperation(block: item.run)
        operation.queuePriority = queuePriority
        operationQueue.addOperation(operation)
        return item
    }
}
