import RxDiagnostics
import Synchronization

/// Bounds the memory of the state of a pipeline's steps: the states of `scan`, the last events of
/// `pairwise` and `distinctUntilChanged`, and the groups of `groupBy`.
final class KeptMemory: Sendable {
    /// The error for state that would exceed the limit.
    struct Excess: Error {
        /// In bytes.
        let needed, limit: Int

        var message: String {
            "the state of the pipeline's steps would take \(memoryText(needed)) of memory; the limit is "
                + memoryText(limit)
        }
    }

    /// The memory of one step, counted until this object is released.
    final class Part: Sendable {
        private let whole: KeptMemory
        private let byteCount = Atomic(0)

        fileprivate init(_ whole: KeptMemory) {
            self.whole = whole
        }

        deinit { whole.total.subtract(byteCount.load(ordering: .relaxed), ordering: .relaxed) }

        /// Sets the memory of the step. A decrease always succeeds.
        func set(_ new: Int) throws(Excess) { try add(new - byteCount.load(ordering: .relaxed)) }

        /// Adds to the memory of the step.
        func add(_ more: Int) throws(Excess) {
            try whole.add(more)
            byteCount.add(more, ordering: .relaxed)
        }
    }

    private let limit: Int
    private let total = Atomic(0)

    /// - Parameter limit: the memory that all steps together may take, in bytes.
    init(limit: Int = .max) {
        self.limit = limit
    }

    /// Makes the part of another step.
    func part() -> Part { Part(self) }

    private func add(_ more: Int) throws(Excess) {
        let sum = total.add(more, ordering: .relaxed).newValue
        if more <= 0 || sum <= limit { return }
        total.subtract(more, ordering: .relaxed)
        throw Excess(needed: sum, limit: limit)
    }
}

extension KeptMemory.Part {
    /// ``set(_:)`` for what a step remembers of an event, which fails if there is no memory.
    func set(
        _ new: Int, for event: PipelineEvent, of step: String, at place: SourceLocationCell
    ) throws(StepError) {
        do throws(KeptMemory.Excess) {
            try set(new)
        } catch {
            throw StepError(step: step, location: place.location, event: event, message: error.message)
        }
    }
}
