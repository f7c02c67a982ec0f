/// A request to a ``WebServer``: a GET or HEAD of a path.
public struct WebRequest: Sendable {
    /// The path of the URL, without a query.
    public let path: String
    /// The `Host` header; `nil` if there is none.
    public let host: String?
    /// The `Accept` header; empty if there is none.
    public let accept: String

    /// Whether the host is a numeric address or `localhost`, or the request came over a unix socket, where it means nothing.
    ///
    /// A page of another site whose name resolves to this host has the name of that site.
    public let isForThisHost: Bool
}

/// The answer to a ``WebRequest``.
public enum WebAnswer: Sendable {
    /// A status, header fields and a body.
    case response(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = [])
    /// A body that is sent piece by piece: the closure is called with the stream, which it keeps as long as there is more.
    case stream(fields: [(name: String, value: String)] = [], @Sendable (WebStream) -> Void)
}
