import Glibc

/// The paths of the control sockets of daemons.
package enum ControlSocket {
    /// The path that the daemon of the service listens on.
    package static let ofService = "/run/rxwatchd/control"

    /// The advice for a user who may not connect.
    ///
    /// - Parameter isOfService: whether the socket is that of the service, to which members of a group may connect.
    package static func rightHint(isOfService: Bool) -> String {
        isOfService
            ? "connect as root or as a member of the group rxwatchd, see 'units.sysusers' in "
                + "/usr/share/rxwatchd/drop-ins/README"
            : "connect as root or as the user that the daemon runs as"
    }

    private static let (prefix, suffix) = ("rxwatchd-", ".control")

    /// The path that a daemon that was started by hand listens on, by its process number.
    ///
    /// `nil` if its user has no directory for sockets.
    package static func ofProcess(_ process: Int32) -> String? {
        directory.map { "\($0)/\(prefix)\(process)\(suffix)" }
    }

    /// The sockets of this user's daemons that were started by hand, in the order of their names.
    package static var ofProcesses: [String] { all(ofLiving: true) }

    /// The sockets of processes that this process does not see any more: a daemon that was killed has left its socket.
    package static var ofEndedProcesses: [String] { all(ofLiving: false) }

    private static func all(ofLiving isLiving: Bool) -> [String] {
        guard let directory, let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let process = Int32(name.dropFirst(prefix.count).dropLast(suffix.count))
            guard name.hasPrefix(prefix), name.hasSuffix(suffix), let process else { continue }
            if (kill(process, 0) == 0) == isLiving { names.append(name) }
        }
        return names.sorted().map { "\(directory)/\($0)" }
    }

    /// `XDG_RUNTIME_DIR`, or `/run` for root, to which no other user can write.
    private static var directory: String? {
        if let path = getenv("XDG_RUNTIME_DIR"), path.pointee != 0 { return String(cString: path) }
        return geteuid() == 0 ? "/run" : nil
    }
}
