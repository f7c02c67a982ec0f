/// The durations of the phases of a request; zero for a phase that did not happen, as on a reused connection.
///
///     |--waited--|--dns--|--connect--|--tls--|- - - - -|- - - - -|
///                |------------firstByte----------------|
///                |---------------------total---------------------|
public struct HTTPTiming: Sendable, Hashable {
    /// The time in the client's queue. It is not a part of ``total``.
    public var waited: Duration
    /// The name lookup.
    public var dns: Duration
    /// The TCP connection.
    public var connect: Duration
    /// The TLS handshake.
    public var tls: Duration
    /// The time from the start to the first byte of the response.
    public var firstByte: Duration
    /// The time from the start to the end.
    public var total: Duration

    /// Creates a value from the durations.
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
