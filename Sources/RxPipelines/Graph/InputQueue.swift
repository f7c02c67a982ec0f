import RxDiagnostics

/// Bounds the memory of the events of a node that wait in a `zip` for those of the other nodes.
struct InputQueue: Sendable {
    private let node: LocatedText
    private let context: StepContext
    private let kept: KeptMemory

    fileprivate init(of node: LocatedText, in context: StepContext, limit: Int) {
        self.node = node
        self.context = context
        kept = KeptMemory(limit: limit)
    }

    /// The memory of an event without its value, in bytes.
    private static let memoryOfEvent = 512

    /// Counts the memory of an event until the result is released.
    ///
    /// - Returns: `nil` if there is no memory for it, and the pipeline continues without it.
    func add(_ event: PipelineEvent) throws -> KeptMemory.Part? {
        try context.attempt(event) {
            let part = kept.part()
            do throws(KeptMemory.Excess) {
                try part.add(event.memory + Self.memoryOfEvent)
            } catch {
                throw StepError(
                    step: "zip", location: node.location, event: event,
                    message: "the events of '\(node.text)' that wait for those of the other nodes would take "
                        + "\(memoryText(error.needed)) of memory; the limit is \(memoryText(error.limit))")
            }
            return part
        }
    }
}

extension Inputs {
    /// A queue for each of the nodes.
    func queues(in context: StepContext) -> [InputQueue] {
        let limit = context.host.memory.shareOfSteps / max(1, members.count)
        return members.map { InputQueue(of: $0.node, in: context, limit: limit) }
    }
}
