/// An HTTP request.
public struct HTTPRequest: Sendable, Hashable {
    /// A version of HTTP.
    public enum Version: Sendable, Hashable {
        /// HTTP/2 if it is negotiated with TLS, otherwise HTTP/1.1.
        case automatic
        /// HTTP/1.1.
        case http11
        /// HTTP/2, requested by an upgrade if there is no TLS. A server may still respond in HTTP/1.1.
        case http2
        /// HTTP/2 from the first byte on, with prior knowledge that the server supports it.
        case http2AtOnce
    }

    /// The URL: `http://` or `https://`.
    public var url: String
    /// The method.
    public var method: String
    /// Header fields that are added to the default ones, or replace them.
    public var headers: HTTPHeaders
    /// The body; `nil` for none.
    public var body: [UInt8]?
    /// The credentials.
    public var authentication: HTTPAuthentication?
    /// The statuses that count as success.
    public var expect: HTTPStatuses
    /// The limits on time and size.
    public var limits: HTTPLimits
    /// The route to the server: addresses, proxy, socket.
    public var route: HTTPRoute
    /// The TLS settings of the connection.
    public var tls: HTTPTLS
    /// The version of HTTP.
    public var version: Version
    /// Whether the server may compress the body, which is then decompressed on receipt.
    public var compressed: Bool
    /// Whether the body of the response matters.
    ///
    /// If not, the body is read and dropped, and a response with an expected status is complete with its header:
    /// neither its size nor a connection that breaks later makes it an error.
    public var needsBody = true

    /// Creates a request that sends `method` to `url`.
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
    /// The method and the server, without the path: a webhook's path is often as good as a password.
    public var description: String {
        url.contains("://") ? "\(method) \(HTTPRequest.server(of: url))" : "\(method) a URL"
    }

    /// Returns the scheme, the host and the port of a URL, the parts that a message may show.
    package static func server(of url: String) -> String {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let authority = url[start...].prefix { !"/?#".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return "\(url[..<start])\(host)"
    }

    static func withoutUser(_ url: String) -> String {
        // Most URLs have none, and this runs for the URL of every response.
        guard url.utf8.contains(UInt8(ascii: "@")), let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
