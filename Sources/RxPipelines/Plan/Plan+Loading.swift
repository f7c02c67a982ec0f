import RxDiagnostics

extension Plan {
    /// Where the config is unless another is named, what counts most first.
    package static let directories = ["/etc/rxwatchd", "/run/rxwatchd", "/usr/lib/rxwatchd"]

    /// The same as the name of a config: ``load(_:_:)`` takes it for all of them together.
    package static let standardPath = directories.joined(separator: ", ")

    /// Reads the config at `path`, or throws everything that is wrong with it.
    ///
    /// - Parameter path: a file, which is read alone, a directory, or ``standardPath``.
    package static func load(
        _ path: String, _ substitution: Substitution = .ofProcess
    ) throws(Diagnostics) -> Plan {
        try LoadedConfig(path, substitution).plan
    }

    /// Reads the config in `bytes`, or throws everything that is wrong with it.
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
