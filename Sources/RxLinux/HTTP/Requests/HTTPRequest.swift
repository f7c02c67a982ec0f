/// What is asked of a server.
public struct HTTPRequest: Sendable, Hashable {
    /// A version of HTTP.
    public enum Version: Sendable, Hashable {
        /// HTTP/2 where TLS settles on it, and otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1.
        case http11
        /// HTTP/2: asked for by an upgrade where there is no TLS. A server may still answer in HTTP/1.1.
        case http2
        /// HTTP/2 from the first byte on, as between programs that know each other.
        case http2AtOnce
    }

    /// The address: `http://` or `https://`.
    public var url: String
    /// The method.
    public var method: String
    /// Header fields besides, or in place of, those that every request has.
    public var headers: HTTPHeaders
    /// The body; `nil` for none.
    public var body: [UInt8]?
    /// Who is asking.
    public var authentication: HTTPAuthentication?
    /// The statuses that mean that all is well.
    public var expect: HTTPStatuses
    /// How long it may take and how much may come of it.
    public var limits: HTTPLimits
    /// The way there.
    public var route: HTTPRoute
    /// How the connection is secured.
    public var tls: HTTPTLS
    /// The version of HTTP.
    public var version: Version
    /// Whether the server may compress the body, which is then decompressed here.
    public var compressed: Bool
    /// Whether the answer's body matters. Where it does not, the body is read and dropped, and an answer whose status
    /// is expected is complete with its header: neither its size nor a connection that breaks later makes it an error.
    public var needsBody = true

    /// Asks for what is at `url`, or does `method` to it.
    public init(
        _ url: String, method: String = "GET", headers: HTTPHeaders = [:], body: [UInt8]? = nil,
        authentication: HTTPAuthentication? = nil, expect: HTTPStatuses = HTTPStatuses(200...399),
        limits: HTTPLimits = HTTPLimits(), route: HTTPRoute = HTTPRoute(), tls: HTTPTLS = HTTPTLS(),
        version: Version = .automatic, compressed: Bool = true
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.authentication = authentication
        self.expect = expect
        self.limits = limits
        self.route = route
        self.tls = tls
        self.version = version
        self.compressed = compressed
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// The method and the address, without a user or password in it.
    public var description: String {
        "\(method) \(HTTPRequest.withoutUser(url))"
    }

    /// The method and the server, for records: the rest of a webhook's address is often as good as a password.
    package var target: String {
        guard let scheme = url.firstRange(of: "://") else { return "\(method) an address" }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return "\(method) \(url[..<scheme.upperBound])\(host)"
    }

    static func withoutUser(_ url: String) -> String {
        // Most have none, and this is asked of every answer's address.
        guard url.utf8.contains(UInt8(ascii: "@")), let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
