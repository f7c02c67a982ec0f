/// The route of a request to its server.
public struct HTTPRoute: Sendable, Hashable {
    /// The address family of the connection.
    public enum Family: Sendable, Hashable {
        /// Both; the first address that accepts the connection is used.
        case any
        /// IPv4 only.
        case ipv4
        /// IPv6 only.
        case ipv6
    }

    /// The proxy of the connection.
    public enum Proxy: Sendable, Hashable {
        /// The proxy of the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`).
        case environment
        /// No proxy.
        case none
        /// The proxy at this URL (`http://`, `https://`, `socks5h://`), except for these hosts.
        ///
        /// An exception is a name, a domain with its subdomains, an address, a network (`10.0.0.0/8`), or `*`.
        case through(String, except: [String] = [])
    }

    /// The reuse of connections.
    public enum Connection: Sendable, Hashable {
        /// Reuses an open connection, and leaves it open for further requests.
        case kept
        /// Opens a new connection and closes it after the request: each request then tests that connecting works.
        case fresh
    }

    /// The address family; addresses of the other family are not tried.
    public var family: Family
    /// The proxy.
    public var proxy: Proxy
    /// The unix socket of the server, in place of the host of the URL. An `@` at its beginning marks an abstract name.
    public var socket: String?
    /// Replacements for the host and the port of the URL, each `host:port:other host:other port`.
    ///
    /// An empty host or port matches any, or stays the same.
    public var addresses: [String]
    /// The interface, the address or the host name that connections are bound to.
    public var interface: String?
    /// The reuse of connections.
    public var connection: Connection

    /// Creates the default route, except for the arguments.
    public init(
        family: Family = .any, proxy: Proxy = .environment, socket: String? = nil, addresses: [String] = [],
        interface: String? = nil, connection: Connection = .kept
    ) {
        self.family = family
        self.proxy = proxy
        self.socket = socket
        self.addresses = addresses
        self.interface = interface
        self.connection = connection
    }
}
