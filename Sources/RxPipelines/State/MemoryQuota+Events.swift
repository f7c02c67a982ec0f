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
    /// Reserves memory for what a step remembers of an event; throws the failure of the event if there is none.
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
