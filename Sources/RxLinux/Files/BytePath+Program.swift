import Glibc

extension BytePath {
    /// Why no user can run a file as a program.
    public enum ProgramObstacle: Sendable, Hashable {
        /// A directory.
        case directory
        /// The mode of the file allows nobody to execute it.
        case notExecutable
    }

    /// Why no user can run the file at the path as a program; `nil` if there is no file.
    ///
    /// `nil` for a path on a network file system: accessing it would make the caller wait for its server.
    public var programObstacle: ProgramObstacle? {
        var status = stat()
        guard BlockingMounts.remote().isLocal(self), withCString({ stat($0, &status) }) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFDIR { return .directory }
        return status.st_mode & 0o111 == 0 ? .notExecutable : nil
    }
}
