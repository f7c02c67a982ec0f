import FoundationEssentials
import RxJSON

extension PipelineEvent {
    /// A longer value is in no variable: there is a limit to what the system hands on in one.
    static let longestVariable = 64 * 1024

    /// The environment of a command that works on the event: this process's own, and what describes the event.
    func environment(of pipeline: String, _ inherited: [String: String] = inheritedEnvironment) -> [String: String] {
        var variables = inherited
        variables["RX_PIPELINE"] = pipeline
        variables["RX_SOURCE"] = source
        variables["RX_SEQUENCE"] = String(sequence)
        variables["RX_CAUSE"] = cause
        variables["RX_EVENT_ID"] = id
        let value = value.bytes
        if value.count <= Self.longestVariable { variables["RX_VALUE"] = String(decoding: value, as: UTF8.self) }
        return variables
    }

    /// This process's own variables, without those in which the service manager speaks to it alone.
    static var inheritedEnvironment: [String: String] {
        var variables = ProcessInfo.processInfo.environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
            variables[name] = nil
        }
        return variables.filter { !$0.key.hasPrefix("RX_") }
    }
}
