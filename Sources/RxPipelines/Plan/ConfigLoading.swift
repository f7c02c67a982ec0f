import RxDiagnostics
import RxJQ
import RxYAML

/// A config as it was read: its files, what they come to, and what nobody may see of it.
package struct LoadedConfig: Sendable {
    /// The files in the order in which they were read: a later one counts more.
    package let files: [String]
    package let plan: Plan
    package let secrets: Secrets

    /// Reads the config at a path, or throws everything that is wrong with it.
    ///
    /// - Parameters:
    ///   - library: where expressions are that are known already, and need not be compiled again.
    ///   - isReload: whether a process that runs reads it: the writer of a pipe is waited for briefly.
    package init(
        _ path: String, _ substitution: Substitution, _ library: JQLibrary = JQLibrary(), isReload: Bool = false
    ) throws(Diagnostics) {
        var texts: [(String, [UInt8])] = []
        var wrong: [Diagnostic] = []
        for file in try ConfigFiles.find(path) {
            do {
                texts.append((file.path, try file.bytes(isReload ? .upTo(.seconds(1)) : .unlimited)))
            } catch {
                wrong.append(error)
            }
        }
        if !wrong.isEmpty { throw Diagnostics(wrong) }
        try self.init(texts, substitution, library)
    }

    /// Reads files that are known already, and of each its text.
    init(
        _ texts: [(path: String, bytes: [UInt8])], _ substitution: Substitution, _ library: JQLibrary = JQLibrary()
    ) throws(Diagnostics) {
        let report = Report()
        var roots: [YAMLNode] = []
        for (path, bytes) in texts {
            report.know(SourceText(file: path, text: String(decoding: bytes, as: UTF8.self)))
            do {
                roots.append(try YAMLReader.read(bytes, file: path))
            } catch {
                for diagnostic in error.list { report.add(diagnostic) }
            }
        }
        // What follows would complain of what is only missing because it could not be read.
        try report.throwIfAny()
        var substituter = Substituter(substitution, report)
        roots = roots.map { substituter.apply(to: $0) }
        try report.throwIfAny()
        let root = ConfigMerge.merge(roots, report)
        let plan = try Plan.read(root, ReadingContext(report, library))
        files = texts.map(\.path)
        secrets = report.secrets
        self.plan = plan.hiding(secrets)
    }
}
