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
        guard isEmpty else { return }
        let roots: [String]
        switch location {
        case .system: roots = rootsOfHost
        case .directory(let path): roots = [path]
        case .files: return
        }
        let directories = roots + roots.flatMap { root in names(in: root).map { "\(root)/\($0)" } }
        let isClosed = directories.contains { directory in
            names(in: directory).contains { name in
                name.hasSuffix(".journal") && access("\(directory)/\(name)", R_OK) != 0 && errno == EACCES
            }
        }
        if isClosed { throw SystemError(EACCES, "reading \(what) (the members of the group systemd-journal may)") }
    }

    private static func names(in path: String) -> [String] {
        BytePath(path).entries.map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix(".") }
    }
}
