import RxDiagnostics
import RxYAML

/// Finds the files that a config consists of.
enum ConfigFiles {
    /// One of them.
    struct File {
        let path: String
        /// Named by the user, who may hand over a pipe; what is found in a directory is a file.
        var isNamed = false

        /// - Parameter patience: how long the writer of a pipe is waited for.
        func bytes(_ patience: FileBytes.Patience) throws(Diagnostic) -> [UInt8] {
            do {
                return try FileBytes.read(path, limit: YAMLReader.maximumSize, pipes: isNamed ? patience : .none)
            } catch {
                let reading =
                    isNamed
                    ? "name another with --config, or make it readable" : "make it readable, or take it away"
                let advice = error.code == nil ? "a config is a file\(isNamed ? " or a pipe" : "")" : reading
                throw Diagnostic(
                    "cannot read the config: \(error.reason); \(advice)",
                    at: SourceLocation(file: path, line: 1, column: 1))
            }
        }
    }

    private static let name = "rxwatchd.yaml"
    private static let dropIns = "rxwatchd.d"

    /// The files behind a path, in the order in which they are to be read.
    static func find(_ path: String) throws(Diagnostics) -> [File] {
        if path == Plan.standardPath { return try find(in: Plan.directories) }
        guard FileBytes.place(path) == .directory else { return [File(path: path, isNamed: true)] }
        return try find(in: [path])
    }

    /// `rxwatchd.yaml` and what is in `rxwatchd.d`, as systemd does it: of several files of one name the first
    /// directory's counts, all are sorted by their names, and one that is the null device hides those that it counts
    /// more than.
    static func find(in directories: [String]) throws(Diagnostics) -> [File] {
        var main: File?
        var found: [String: File?] = [:]
        for directory in directories {
            let base = directory.hasSuffix("/") ? directory : directory + "/"
            if main == nil, FileBytes.place(base + name) != .nothing { main = File(path: base + name) }
            for name in try dropIns(in: base + dropIns) where found[name] == nil {
                let path = "\(base)\(dropIns)/\(name)"
                found[name] = .some(FileBytes.place(path) == .mask ? nil : File(path: path))
            }
        }
        if let file = main, FileBytes.place(file.path) == .mask { main = nil }
        let names = found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let files = (main.map { [$0] } ?? []) + names.compactMap { found[$0] ?? nil }
        guard files.isEmpty else { return files }
        throw Diagnostics(
            "there is no config: neither \(name) nor \(dropIns)/*.yaml is in \(directories.joined(separator: ", "));"
                + " write one, or name another with --config",
            at: SourceLocation(file: "\(directories.first ?? "")/\(name)", line: 1, column: 1))
    }

    private static func dropIns(in directory: String) throws(Diagnostics) -> [String] {
        guard FileBytes.place(directory) != .nothing else { return [] }
        guard let names = FileBytes.names(in: directory) else {
            throw Diagnostics(
                "cannot read this directory: \(FileBytes.Failure.system.reason); make it readable, or take it away",
                at: SourceLocation(file: directory, line: 1, column: 1))
        }
        return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
    }
}
