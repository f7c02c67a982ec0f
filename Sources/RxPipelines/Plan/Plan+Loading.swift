import RxControl
import RxDiagnostics

extension Plan {
    /// Reads the configuration at `path`, or throws all of its errors.
    ///
    /// - Parameters:
    ///   - path: a file, which is read alone, a directory, or ``ConfigDirectories/standardPath``.
    ///   - substitution: the values of `${…}`.
    package static func load(
        _ path: String, _ substitution: Substitution = .ofProcess
    ) throws(Diagnostics) -> Plan {
        try LoadedConfig(path, substitution).plan
    }

    /// Reads the configuration in `bytes`, or throws all of its errors.
    package static func read(
        _ bytes: some Collection<UInt8>, file: String, _ substitution: Substitution = Substitution()
    ) throws(Diagnostics) -> Plan {
        try LoadedConfig([(file, Array(bytes))], substitution).plan
    }

    /// The plan in a line: "1 source, 2 pipelines".
    ///
    /// A pipeline for the sinks of `onError` does not count: the configuration has none of its name.
    package var summary: String {
        let configured = pipelines.count { !Pipeline.isForFailures($0.name) }
        return "\(counted(sources.count, "source")), \(counted(configured, "pipeline"))"
    }
}
