import RxDiagnostics
import RxJQ
import RxYAML

/// A configuration that was read: its files, its plan and its secrets.
package struct LoadedConfig: Sendable {
    /// The files in the order in which they were read. A later file overrides an earlier one.
    package let files: [String]
    /// The merged configuration, with variables replaced.
    let root: YAMLNode
    package let plan: Plan
    package let secrets: Secrets
    /// The warnings: valid settings that are probably mistakes.
    package let warnings: Diagnostics
    /// What is valid, and easily misread. Only a check shows it.
    let notices: [Diagnostic]
    /// The credentials that it refers to, each with the location of the first reference.
    let credentials: [(name: String, location: SourceLocation)]

    /// Reads the configuration at a path, or throws everything that is wrong with it.
    ///
    /// - Parameters:
    ///   - path: a file, a directory, or ``ConfigDirectories/standardPath``.
    ///   - substitution: the values of `${…}`.
    ///   - library: the expressions that are compiled already.
    ///   - purpose: the command that reads it.
    package init(
        _ path: String, _ substitution: Substitution, _ library: JQLibrary = JQLibrary(),
        for purpose: ConfigPurpose = .start
    ) throws(Diagnostics) {
        var texts: [(String, [UInt8])] = []
        var wrong: [Diagnostic] = []
        for file in try ConfigFiles.find(path, for: purpose) {
            do {
                texts.append((file.path, try file.bytes(for: purpose)))
            } catch {
                wrong.append(error)
            }
        }
        if !wrong.isEmpty { throw Diagnostics(wrong) }
        try self.init(texts, substitution, library)
    }

    /// Reads a configuration from the texts of its files.
    init(
        _ texts: [(path: String, bytes: [UInt8])], _ substitution: Substitution, _ library: JQLibrary = JQLibrary()
    ) throws(Diagnostics) {
        let report = Report()
        var roots: [YAMLNode] = []
        for (path, bytes) in texts {
            report.addSource(SourceText(file: path, text: String(decoding: bytes, as: UTF8.self)))
            do {
                roots.append(try YAMLReader.read(bytes, file: path, expressionKeys: Expression.keys))
            } catch {
                for diagnostic in error.list { report.add(diagnostic) }
            }
        }
        // The next stages would report names as missing that are in parts with errors.
        try report.throwIfAny()
        var substituter = Substituter(substitution, report)
        roots = roots.map { substituter.apply(to: $0) }
        try report.throwIfAny()
        root = ConfigMerge.merge(roots, report)
        let plan = try Plan.read(root, ReadingContext(report, library))
        files = texts.map(\.path)
        secrets = report.secrets
        warnings = report.warnings
        notices = report.notices
        credentials = substituter.references
        self.plan = plan.hiding(secrets)
    }
}
