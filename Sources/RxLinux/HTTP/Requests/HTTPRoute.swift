/// The way from here to the server.
public struct HTTPRoute: Sendable, Hashable {
    /// Which addresses of the server may be used.
    public enum Family: Sendable, Hashable {
        /// All; the first that answers.
        case any
        /// Those of IP version 4 alone.
        case ipv4
        /// Those of IP version 6 alone.
        case ipv6
    }

    /// Through whom.
    public enum Proxy: Sendable, Hashable {
        /// Through whom the environment says (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`).
        case environment
        /// Through nobody.
        case none
        /// Through the one at this address (`http://`, `https://`, `socks5h://`), but for these hosts: names, domains
        /// with what is below them, addresses, networks (`10.0.0.0/8`), or `*`.
        case through(String, except: [String] = [])
    }

    /// What becomes of the connection.
    public enum Connection: Sendable, Hashable {
        /// One that is open already is used again, and left open for the next request.
        case kept
        /// A new one, closed after this request: each request then shows that connecting works.
        case fresh
    }

    /// Which addresses may be used; none of the other family is tried.
    public var family: Family
    /// Through whom.
    public var proxy: Proxy
    /// The unix socket that the server listens on, in place of the address in the URL. With `@` before it, its abstract
    /// name.
    public var socket: String?
    /// Where to connect in place of the host and the port in the URL, each `host:port:other host:other port`. An empty
    /// host or port stands for any, or for the same.
    public var addresses: [String]
    /// The interface, the address or the host name that connections start from.
    public var interface: String?
    /// What becomes of the connection.
    public var connection: Connection

    /// The usual way, but for what is given.
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
