import Glibc

/// Whether a journal that seems empty is just closed to us, which libsystemd does not say.
enum JournalAccess {
    /// Throws where there are journal files at a place, none of which was opened, and one of which is not ours to read.
    static func check(_ place: JournalQuery.Place, isEmpty: Bool, _ what: String) throws(SystemError) {
        guard isEmpty else { return }
        let roots: [String]
        switch place {
        case .system: roots = ["/var/log/journal", "/run/log/journal"]
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
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
