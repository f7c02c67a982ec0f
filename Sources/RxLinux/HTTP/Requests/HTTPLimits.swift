/// The limits of a request on time and size.
public struct HTTPLimits: Sendable, Hashable {
    /// The total time, including redirects and the time in the queue.
    public var total: Duration
    /// The time for each connection: name lookup, connecting, and the TLS handshake.
    public var connect: Duration
    /// The most redirects that are followed.
    public var redirects: Int
    /// The most bytes of the body after decompression.
    public var body: Int
    /// The most bytes of the header.
    public var header: Int

    /// Creates the default limits, except for the arguments.
    public init(
        total: Duration = .seconds(30), connect: Duration = .seconds(10), redirects: Int = 10,
        body: Int = 32 << 20, header: Int = 128 << 10
    ) {
        self.total = total
        self.connect = connect
        self.redirects = redirects
        self.body = body
        self.header = header
    }
}
