import Glibc
import RxDiagnostics

/// The only user that may be able to change a configuration. The check keeps commands of the daemon from writing its
/// configuration.
struct ConfigOwner {
    /// The user ID.
    var user: uid_t = 0

    /// Throws for the first of these directories and files that belongs to another user or that others may write to. A
    /// link to the null device is not checked itself, since its directory is.
    func check(_ paths: [String]) throws(Diagnostics) {
        for path in paths {
            guard let problem = problem(of: path) else { continue }
            throw Diagnostics(
                "this part of the configuration is refused, since \(problem); what is in \(paths[0]) must belong to root, and "
                    + "only root may be able to write to it: run 'chown root' and 'chmod go-w', or move it to "
                    + "/etc/rxwatchd",
                at: SourceLocation(file: path, line: 1, column: 1))
        }
    }

    private func problem(of path: String) -> String? {
        // Reading the file reports that it no longer exists.
        guard FileBytes.kind(at: path) != .mask, let found = FileBytes.owner(of: path) else { return nil }
        if found.user != user { return "it belongs to the user \(found.user)" }
        return found.isWritableByOthers ? "users other than its owner can write to it" : nil
    }
}
