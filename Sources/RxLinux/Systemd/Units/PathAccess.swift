/// What a service does with a path.
public enum PathAccess: Sendable, Hashable {
    /// Reads or watches the file, or lists the directory.
    case read
    /// Writes the file, and makes it if it does not exist.
    case write
    /// Runs the program.
    case run
    /// Makes the directory its working directory.
    case enter
    /// Connects to the unix socket.
    case connect
}
