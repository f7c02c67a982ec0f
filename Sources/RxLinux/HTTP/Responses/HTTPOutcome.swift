/// The outcome of a request: an expected response, another response, or an error.
public struct HTTPOutcome: Sendable, Hashable {
    /// Whether the server responded with an expected status.
    public var ok: Bool
    /// The status; `nil` if there is no response. For a 304 it is that of the earlier response whose body it has.
    public var status: Int?
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body. For a 304 it is the unchanged body of an earlier response.
    public var body: [UInt8]
    /// Whether the server declares the body as JSON.
    public var isJSON: Bool
    /// The durations of the phases.
    public var timing: HTTPTiming
    /// Whether the body differs from that of the last expected response; `true` for the first.
    ///
    /// For `HEAD`, the header fields that describe the body are compared.
    public var changed: Bool
    /// The error, if it is not ``ok``.
    public var error: HTTPError?
    /// The latest certificate of the server, even if it did not respond this time.
    public var certificate: HTTPCertificate?
    /// How long the server asks the client to wait; `nil` if it does not.
    public var retryAfter: Duration?

    /// Creates the outcome of `request`.
    public init(_ result: Result<HTTPResponse, HTTPError>, of request: HTTPRequest) {
        switch result {
        case .success(let response): self.init(response, of: request)
        case .failure(let error): self.init(error)
        }
    }

    private init(_ response: HTTPResponse, of request: HTTPRequest) {
        ok = request.expect.contains(response.status)
        status = response.status
        headers = response.headers
        body = response.body
        isJSON = response.isJSON
        timing = response.timing
        changed = ok
        certificate = response.certificate
        retryAfter = response.retryAfter
        if !ok {
            error = HTTPError(
                .status, "the server answered \(response.status), where \(request.expect) was expected",
                timing: timing, certificate: certificate)
        }
    }

    private init(_ error: HTTPError) {
        ok = false
        headers = [:]
        body = []
        isJSON = false
        timing = error.timing
        changed = false
        self.error = error
        certificate = error.certificate
    }
}
