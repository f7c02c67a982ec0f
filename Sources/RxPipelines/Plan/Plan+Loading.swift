import RxDiagnostics

extension Plan {
    /// The directories of the configuration unless another is named, the most important one first.
    package static let directories = ["/etc/rxwatchd", runtimeDirectory, "/usr/lib/rxwatchd"]

    /// The directory among them that may belong to a service whose commands could write there. It is read only if root
    /// alone can write to it.
    static let runtimeDirectory = "/run/rxwatchd"

    /// The path that stands for all of these directories together in ``load(_:_:)``.
    package static let standardPath = directories.joined(separator: ", ")

    /// Reads the configuration at `path`, or throws all of its errors.
    ///
    /// - Parameters:
    ///   - path: a file, which is read alone, a directory, or ``standardPath``.
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
