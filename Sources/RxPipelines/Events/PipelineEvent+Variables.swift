import RxJSON
import RxLinux

extension PipelineEvent {
    /// The longest value of a variable, in bytes: the kernel limits the length. A longer value is left out.
    static let longestVariable = 64 * 1024

    /// The environment of a command for the event: the inherited one, and the `RX_…` variables that describe the event.
    func environment(
        of pipeline: String, _ inherited: [String: String] = Command.inheritedEnvironment
    ) -> [String: String] {
        var variables = inherited.filter { !$0.key.hasPrefix("RX_") }
        variables["RX_PIPELINE"] = pipeline
        variables["RX_SOURCE"] = source
        variables["RX_SEQUENCE"] = String(sequence)
        variables["RX_CAUSE"] = cause
        variables["RX_EVENT_ID"] = id
        let value = value.bytes
        if value.count <= Self.longestVariable { variables["RX_VALUE"] = String(decoding: value, as: UTF8.self) }
        return variables
    }
}
