/// How long a request may take and how much may come of it.
public struct HTTPLimits: Sendable, Hashable {
    /// The time for everything, redirects included.
    public var total: Duration
    /// The time for each connection: finding the address, connecting, and the TLS handshake.
    public var connect: Duration
    /// The time until the first byte of an answer; `nil` for as long as `total` allows.
    public var firstByte: Duration?
    /// How many redirects are followed, one after the other.
    public var redirects: Int
    /// How many bytes the body may have, once decompressed.
    public var body: Int
    /// How many bytes the header may have.
    public var header: Int

    /// The usual limits, but for what is given.
    public init(
        total: Duration = .seconds(30), connect: Duration = .seconds(10), firstByte: Duration? = nil,
        redirects: Int = 10, body: Int = 32 << 20, header: Int = 128 << 10
    ) {
        self.total = total
        self.connect = connect
        self.firstByte = firstByte
        self.redirects = redirects
        self.body = body
        self.header = header
    }
}
