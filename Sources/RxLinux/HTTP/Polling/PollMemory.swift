/// The state of a poll: the last expected response, to detect a change, and the last certificate.
struct PollMemory {
    /// A response with a validator, which a later 304 refers to.
    fileprivate struct ValidatedResponse {
        let status: Int?
        var headers: HTTPHeaders
        var body: [UInt8]
        var isJSON: Bool
        let memory: MemoryQuota.Reservation
    }

    private let request: HTTPRequest
    private let conditional: Bool
    private let quota: MemoryQuota
    private var known: ValidatedResponse?
    /// The hash of the last body, for the case that the body is not kept.
    private var fingerprint: Int?
    private var certificate: HTTPCertificate?

    /// - Parameters:
    ///   - request: the request of the poll.
    ///   - conditional: whether to ask for the body only if it has changed.
    ///   - quota: the memory of the responses that all polls remember.
    init(_ request: HTTPRequest, conditional: Bool, _ quota: MemoryQuota = MemoryQuota()) {
        self.request = request
        self.quota = quota
        let hasOwnConditions = request.headers.contains { $0.name.begins(with: "if-") }
        self.conditional = conditional && !hasOwnConditions && ["GET", "HEAD"].contains(request.method)
    }

    /// The header fields that ask for a body only if it has changed.
    var conditions: HTTPHeaders {
        guard let known else { return [:] }
        var conditions = HTTPHeaders()
        if let tag = known.headers["ETag"], tag.canBeSent { conditions.append(.init("If-None-Match", tag)) }
        if let date = known.headers["Last-Modified"], date.canBeSent {
            conditions.append(.init("If-Modified-Since", date))
        }
        return conditions
    }

    /// Converts `result` to an outcome, compares it with the last response and records it.
    mutating func receive(_ result: Result<HTTPResponse, HTTPError>) -> HTTPOutcome {
        var outcome = HTTPOutcome(result, of: request)
        if outcome.status == 304 {
            outcome.changed = false
            if let known {
                outcome.receiveUnchanged(known)
            }
        } else if outcome.ok {
            outcome.changed = remember(outcome)
        }
        certificate = outcome.certificate ?? certificate
        outcome.certificate = certificate
        return outcome
    }

    /// Records the response.
    ///
    /// - Returns: whether the body has changed.
    private mutating func remember(_ outcome: HTTPOutcome) -> Bool {
        var hasher = Hasher()
        hasher.combine(outcome.body)
        // There is no body: header fields describe it.
        if request.method == "HEAD" {
            for name in ["ETag", "Last-Modified", "Content-Length"] { hasher.combine(outcome.headers[name]) }
        }
        let new = hasher.finalize()
        defer { fingerprint = new }
        known = nil
        if conditional, outcome.headers["ETag"] != nil || outcome.headers["Last-Modified"] != nil {
            known = ValidatedResponse(outcome, within: quota)
        }
        return fingerprint != new
    }
}

extension PollMemory.ValidatedResponse {
    /// Remembers the response of an outcome; `nil` if there is no memory for it.
    init?(_ outcome: HTTPOutcome, within quota: MemoryQuota) {
        (status, headers, body) = (outcome.status, outcome.headers, outcome.body)
        (isJSON, memory) = (outcome.isJSON, quota.reservation())
        guard (try? memory.set(outcome.memory)) != nil else { return nil }
    }
}

extension HTTPOutcome {
    /// The memory of the body and the header fields, in bytes.
    fileprivate var memory: Int {
        headers.reduce(body.count) { $0 + HTTPHeaders.Field.overhead + $1.name.utf8.count + $1.value.utf8.count }
    }

    /// Replaces a 304 with the response that is still valid.
    fileprivate mutating func receiveUnchanged(_ known: PollMemory.ValidatedResponse) {
        ok = true
        error = nil
        status = known.status
        headers = known.headers.updated(with: headers)
        body = known.body
        isJSON = known.isJSON
    }
}

extension String {
    /// Whether a value from a server can be sent back to it.
    fileprivate var canBeSent: Bool {
        !isEmpty && utf8.count <= 1024 && utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
