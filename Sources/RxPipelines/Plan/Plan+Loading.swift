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
    package var summary: String {
        "\(counted(sources.count, "source")), \(counted(pipelines.count, "pipeline"))"
    }
}
