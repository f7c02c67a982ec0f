/// An open connection of a client that gets lines until it closes the connection.
///
/// A client that does not read loses lines, and never delays the caller.
public final class LocalStream: Sendable {
    private let connection: LocalConnection

    init(_ connection: LocalConnection) {
        self.connection = connection
    }

    deinit { connection.endStream() }

    /// Sends a line, or drops it if too many bytes wait for the client.
    ///
    /// This method does not block, and can be called on any thread.
    ///
    /// - Parameter line: the line with its end.
    /// - Returns: whether it was not dropped.
    @discardableResult
    public func send(_ line: [UInt8]) -> Bool { connection.send(line) }

    /// Closes the connection when everything was sent, or after ``LocalServer/Limits/transferTimeout``.
    public func end() { connection.endStream() }
}
