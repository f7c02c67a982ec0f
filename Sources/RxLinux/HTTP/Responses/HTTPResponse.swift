/// A complete response of a server.
public struct HTTPResponse: Sendable, Hashable {
    /// The status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body.
    public let body: [UInt8]
    /// The URL of the response, after all redirects.
    public let url: String
    /// The version of HTTP: `1.0`, `1.1` or `2`.
    public let version: String
    /// The IP address of the server; empty for a unix socket.
    public let address: String
    /// The durations of the phases.
    public let timing: HTTPTiming
    /// The certificate of the server, from this connection or an earlier one.
    public let certificate: HTTPCertificate?
    /// How long the server asks the client to wait; `nil` if it does not.
    public let retryAfter: Duration?

    /// Creates a response.
    public init(
        status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "", version: String = "1.1",
        address: String = "", timing: HTTPTiming = HTTPTiming(), certificate: HTTPCertificate? = nil,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.version = version
        self.address = address
        self.timing = timing
        self.certificate = certificate
        self.retryAfter = retryAfter
    }

    /// Whether the server declares the body as JSON.
    public var isJSON: Bool {
        headers.declareJSON
    }
}

extension HTTPHeaders {
    /// Whether the content type is JSON, or a format based on JSON (`application/problem+json`).
    var declareJSON: Bool {
        guard let type = self["Content-Type"] else { return false }
        var essence: [UInt8] = []
        for byte in type.utf8 {
            if byte == UInt8(ascii: ";") { break }
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { essence.append(byte.lowercased) }
        }
        return essence.elementsEqual("application/json".utf8) || essence.elementsEqual("text/json".utf8)
            || essence.suffix(5).elementsEqual("+json".utf8)
    }
}
