/// What came of a request: an answer that was expected, one that was not, or none.
public struct HTTPOutcome: Sendable, Hashable {
    /// Whether the server has answered, and with a status that was expected.
    public var ok: Bool
    /// The status; `nil` where there is no answer.
    public var status: Int?
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body. With a 304 it is the one that has not changed.
    public var body: [UInt8]
    /// Whether the server says that the body is JSON.
    public var isJSON: Bool
    /// How long the phases took.
    public var timing: HTTPTiming
    /// Whether the body is another than that of the last answer that was expected; with `HEAD`, whether what the server
    /// says of it is. The first one's is.
    public var changed: Bool
    /// What was wrong, where it is not ``ok``.
    public var error: HTTPError?
    /// The certificate that the server has last shown, whether or not it answered this time.
    public var certificate: HTTPCertificate?
    /// How long the server asks to be left alone, where it says so.
    public var retryAfter: Duration?

    /// What has come of `request`.
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
