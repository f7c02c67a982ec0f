import RxDiagnostics
import RxLinux

extension MemoryQuota.ExceededError {
    /// - Parameter part: what has the limit, if it is not that of all pipelines.
    func message(of part: String = "the state of the pipeline's steps") -> String {
        "\(isOfAll ? "what all pipelines remember" : part) would take \(memoryText(needed)) of memory; the limit is "
            + memoryText(limit)
    }
}

extension MemoryQuota.Reservation {
    /// ``set(_:)`` for what a step remembers of an event, which fails if there is no memory.
    func set(
        _ new: Int, for event: PipelineEvent, of step: String, at locationCell: SourceLocationCell
    ) throws(StepError) {
        do throws(MemoryQuota.ExceededError) {
            try set(new)
        } catch {
            throw StepError(step: step, location: locationCell.location, event: event, message: error.message())
        }
    }
}
