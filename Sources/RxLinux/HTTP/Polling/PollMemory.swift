/// What a poll remembers: the last answer that was expected, to tell whether the next one is another, and the last
/// certificate.
struct PollMemory {
    private struct Known {
        var headers: HTTPHeaders
        var body: [UInt8]
        var isJSON: Bool
    }

    private let request: HTTPRequest
    private let conditional: Bool
    private var known: Known?
    /// The known body's, where it is not kept.
    private var fingerprint: Int?
    private var certificate: HTTPCertificate?

    /// - Parameter conditional: whether an unchanged body need not be sent again.
    init(_ request: HTTPRequest, conditional: Bool) {
        self.request = request
        let hasOwnConditions = request.headers.contains { $0.name.begins(with: "if-") }
        self.conditional = conditional && !hasOwnConditions && ["GET", "HEAD"].contains(request.method)
    }

    /// The header fields that ask for a body only where it has changed.
    var conditions: HTTPHeaders {
        guard let known else { return [:] }
        var conditions = HTTPHeaders()
        if let tag = known.headers["ETag"], tag.canBeSent { conditions.append(.init("If-None-Match", tag)) }
        if let date = known.headers["Last-Modified"], date.canBeSent {
            conditions.append(.init("If-Modified-Since", date))
        }
        return conditions
    }

    /// What `result` is, compared with what is known, and remembers it.
    mutating func take(_ result: Result<HTTPResponse, HTTPError>) -> HTTPOutcome {
        var outcome = HTTPOutcome(result, of: request)
        if outcome.status == 304 {
            outcome.changed = false
            if let known {
                outcome.takeUnchanged(known.headers.updated(with: outcome.headers), known.body, known.isJSON)
                self.known?.headers = outcome.headers
            }
        } else if outcome.ok {
            outcome.changed = remember(outcome)
        }
        certificate = outcome.certificate ?? certificate
        outcome.certificate = certificate
        return outcome
    }

    /// - Returns: whether the body is another.
    private mutating func remember(_ outcome: HTTPOutcome) -> Bool {
        var hasher = Hasher()
        hasher.combine(outcome.body)
        // There is no body: what would be in it, the server says in other ways.
        if request.method == "HEAD" {
            for name in ["ETag", "Last-Modified", "Content-Length"] { hasher.combine(outcome.headers[name]) }
        }
        let new = hasher.finalize()
        defer { fingerprint = new }
        known = nil
        if conditional, outcome.headers["ETag"] != nil || outcome.headers["Last-Modified"] != nil {
            known = Known(headers: outcome.headers, body: outcome.body, isJSON: outcome.isJSON)
        }
        return fingerprint != new
    }
}

extension HTTPOutcome {
    /// The server says that what is known still holds.
    fileprivate mutating func takeUnchanged(_ headers: HTTPHeaders, _ body: [UInt8], _ isJSON: Bool) {
        ok = true
        error = nil
        self.headers = headers
        self.body = body
        self.isJSON = isJSON
    }
}

extension String {
    /// Whether a server's value can be sent back to it.
    fileprivate var canBeSent: Bool {
        !isEmpty && utf8.count <= 1024 && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
