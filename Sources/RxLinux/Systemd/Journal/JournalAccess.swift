import Glibc

/// Checks whether a journal that seems empty is unreadable, which libsystemd does not report.
package enum JournalAccess {
    private static let rootsOfHost = ["/var/log/journal", "/run/log/journal"]

    /// The journal file of this host's services; `nil` if there is none, or if its directory cannot be read.
    package static var fileOfServices: String? {
        rootsOfHost.lazy.flatMap { root in names(in: root).map { "\(root)/\($0)/system.journal" } }
            .first { !BytePath($0).isMissing }
    }

    /// Throws if a location has journal files of which none was opened, and this process may not read one of them.
    static func check(_ location: JournalQuery.Location, isEmpty: Bool, _ what: String) throws(SystemError) {
        guard isEmpty, files(in: location).contains(where: { access($0, R_OK) != 0 && errno == EACCES }) else { return }
        throw SystemError(EACCES, "reading \(what) (the members of the group systemd-journal may)")
    }

    /// Whether a location has journal files, in directories that this process may read.
    package static func hasFiles(in location: JournalQuery.Location) -> Bool {
        files(in: location).contains { _ in true }
    }

    /// The journal files in a location.
    private static func files(in location: JournalQuery.Location) -> some Sequence<String> {
        let roots =
            switch location {
            case .system: rootsOfHost
            case .directory(let path): [path]
            case .files: [String]()
            }
        let directories = roots + roots.flatMap { root in names(in: root).map { "\(root)/\($0)" } }
        return directories.lazy.flatMap { directory in
            names(in: directory).filter { $0.hasSuffix(".journal") }.map { "\(directory)/\($0)" }
        }
    }

    private static func names(in path: String) -> [String] {
        BytePath(path).entries.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix(".") }
    }
}
