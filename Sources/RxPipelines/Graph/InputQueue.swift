import RxDiagnostics
import RxLinux

/// Bounds the memory of the events of a node that wait in a `zip` for those of the other nodes.
struct InputQueue: Sendable {
    private let node: LocatedText
    private let context: StepContext
    private let quota: MemoryQuota

    /// - Parameters:
    ///   - node: the node.
    ///   - context: the context of the pipeline's steps.
    ///   - number: the number of nodes.
    fileprivate init(of node: LocatedText, in context: StepContext, among number: Int) {
        self.node = node
        self.context = context
        quota = context.host.memory.quota(dividedBy: number)
    }

    /// The memory of an event without its value, in bytes.
    private static let memoryOfEvent = 512

    /// Counts the memory of an event until the result is released.
    ///
    /// - Returns: `nil` if there is no memory for it, and the pipeline continues without it.
    func add(_ event: PipelineEvent) throws -> MemoryQuota.Reservation? {
        try context.attempt(event) {
            let memory = quota.reservation()
            do throws(MemoryQuota.ExceededError) {
                try memory.add(event.memory + Self.memoryOfEvent)
            } catch {
                throw StepError(
                    step: "zip", location: node.location, event: event,
                    message: error.message(of: "the events of '\(node.text)' that wait for those of the other nodes"))
            }
            return memory
        }
    }
}

extension InputNodes {
    /// A queue for each of the nodes.
    func queues(in context: StepContext) -> [InputQueue] {
        members.map { InputQueue(of: $0.node, in: context, among: members.count) }
    }
}
