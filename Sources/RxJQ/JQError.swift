/// The error of an expression that failed while it ran, or of a text that is not JSON.
package struct JQError: Error, Sendable, Hashable {
    package let message: String

    /// Creates an error.
    ///
    /// - Parameter message: the message, which is truncated, since it may quote a value of any size.
    package init(_ message: String) {
        self.message =
            message.utf8.count <= Self.longest || message.count <= Self.longest
            ? message : "\(message.prefix(Self.longest))…"
    }

    /// The most characters of a message before it is truncated.
    private static let longest = 500
}

extension JQError: CustomStringConvertible {
    package var description: String { message }
}
