import Synchronization

/// A component, as a client of the evaluator: evaluators divide their processes fairly among clients.
package final class JQClient: Sendable {
    /// Identifies the client for an evaluator, which does not retain it.
    package let identity = JQIdentity()
    private let endedEvaluations = Atomic(0)

    package init() {}

    /// The number of finished evaluations that took long or were made in another process.
    package var longEvaluations: Int { endedEvaluations.load(ordering: .relaxed) }

    /// Counts an evaluation that has run long and has ended.
    func longEvaluationEnded() { endedEvaluations.add(1, ordering: .relaxed) }
}
