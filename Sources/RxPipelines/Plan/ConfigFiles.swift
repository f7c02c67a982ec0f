import Glibc
import RxControl
import RxDiagnostics
import RxYAML

/// Finds the files that a configuration consists of.
enum ConfigFiles {
    /// A file of a configuration.
    struct File {
        let path: String
        /// Whether the user named the file. Such a file may be a pipe; one that was found in a directory may not.
        var isNamed = false

        /// Reads the file.
        ///
        func bytes(for purpose: ConfigPurpose) throws(Diagnostic) -> [UInt8] {
            do {
                return try FileBytes.read(
                    path, limit: YAMLReader.maximumSize, pipes: isNamed ? purpose.pipeWait : .none)
            } catch {
                let otherwise = isNamed ? purpose.choosingAnother : ", or remove it"
                let advice =
                    switch error.code {
                    case nil: "a configuration is a file\(isNamed ? " or a pipe" : "")"
                    case ENOENT? where isNamed: "create it\(otherwise)"
                    default: "make it readable\(otherwise)"
                    }
                throw Diagnostic(
                    "cannot read the configuration: \(error.reason); \(advice)",
                    at: SourceLocation(file: path, line: 1, column: 1))
            }
        }
    }

    private static let name = "rxwatchd.yaml"
    private static let dropIns = "rxwatchd.d"

    /// The files of the configuration at a path, in the order in which they are read.
    static func find(_ path: String, for purpose: ConfigPurpose = .start) throws(Diagnostics) -> [File] {
        if path == ConfigDirectories.standardPath {
            return try find(
                in: ConfigDirectories.all, guarding: [ConfigDirectories.runtime: ConfigOwner()], for: purpose)
        }
        guard FileBytes.kind(at: path) == .directory else { return [File(path: path, isNamed: true)] }
        return try find(in: [path], for: purpose)
    }

    /// Finds `rxwatchd.yaml` and the files of `rxwatchd.d` by systemd's rules: of several files of one name, that of
    /// the first directory counts; all are sorted by name; a link to the null device masks the files of later
    /// directories.
    ///
    /// - Parameters:
    ///   - directories: the directories, the most important one first.
    ///   - owners: the required owner of a directory and of the files in it, by directory.
    ///   - purpose: the command that reads them.
    static func find(
        in directories: [String], guarding owners: [String: ConfigOwner] = [:], for purpose: ConfigPurpose = .start
    ) throws(Diagnostics) -> [File] {
        var main: File?
        var found: [String: File?] = [:]
        for directory in directories {
            let base = directory.hasSuffix("/") ? directory : directory + "/"
            if main == nil, FileBytes.kind(at: base + name) != .nothing {
                try owners[directory]?.check([directory, base + name])
                main = File(path: base + name)
            }
            for name in try dropIns(in: base + dropIns) where found[name] == nil {
                let path = "\(base)\(dropIns)/\(name)"
                try owners[directory]?.check([directory, base + dropIns, path])
                found[name] = .some(FileBytes.kind(at: path) == .mask ? nil : File(path: path))
            }
        }
        if let file = main, FileBytes.kind(at: file.path) == .mask { main = nil }
        let names = found.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let files = (main.map { [$0] } ?? []) + names.compactMap { found[$0] ?? nil }
        guard files.isEmpty else { return files }
        throw Diagnostics(
            "there is no configuration: neither \(name) nor \(dropIns)/*.yaml is in \(directories.joined(separator: ", "));"
                + " write one\(purpose.choosingAnother)",
            at: SourceLocation(file: "\(directories.first ?? "")/\(name)", line: 1, column: 1))
    }

    private static func dropIns(in directory: String) throws(Diagnostics) -> [String] {
        guard FileBytes.kind(at: directory) != .nothing else { return [] }
        guard let names = FileBytes.names(in: directory) else {
            throw Diagnostics(
                "cannot read this directory: \(FileBytes.Failure.system.reason); make it readable, or remove it",
                at: SourceLocation(file: directory, line: 1, column: 1))
        }
        return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
    }
}
