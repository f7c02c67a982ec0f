/// How long the phases of a request took; zero for one that there was none of, as on a connection that was open
/// already.
///
///     |--waited--|--dns--|--connect--|--tls--|- - - - -|- - - - -|
///                |------------firstByte----------------|
///                |---------------------total---------------------|
public struct HTTPTiming: Sendable, Hashable {
    /// The wait for its turn, where a client does as much at once as it may.
    public var waited: Duration
    /// Finding the address.
    public var dns: Duration
    /// Connecting.
    public var connect: Duration
    /// The TLS handshake.
    public var tls: Duration
    /// From the start until the first byte of the answer.
    public var firstByte: Duration
    /// From the start to the end.
    public var total: Duration

    /// The times given.
    public init(
        waited: Duration = .zero, dns: Duration = .zero, connect: Duration = .zero, tls: Duration = .zero,
        firstByte: Duration = .zero, total: Duration = .zero
    ) {
        self.waited = waited
        self.dns = dns
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
    }
}
