import FoundationEssentials
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `http: { url: "https://api.example/health", every: 15s, timeout: 3s, method: GET, headers: {}, expect: { status:
/// [200-399] } }`: events `{ok, status, headers, body, timing, changed, error, certificate}`. A failing poll is an
/// event with `ok: false`.
struct HTTPSource: SourceKind {
    let request: HTTPRequest
    /// `nil` for once.
    let poll: HTTPPoll?
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "http", context)
        let url = fields.required(
            "url", .string("a URL", example: "https://api.example/health", pattern: HTTPSource.pattern))
        let every = fields.every()
        let delay = fields.optional("delay", .duration)
        let jitter = fields.optional("jitter", .duration) ?? .zero
        let timeout = fields.optional("timeout", .duration(.milliseconds(1) ... .seconds(86_400)))
        let method = fields.optional("method", .httpMethod(example: "GET")) ?? "GET"
        let headers = fields.optional("headers", .map(of: .httpHeaderValue, names: HTTPSyntax.token)) ?? []
        for (name, location, _) in headers { HTTPSyntax.check(header: name, at: location, context.report) }
        let body = fields.optional("body", .string)
        let expect = fields.optional("expect", .expectation)
        let connection = HTTPConnectionOptions.read(&fields, context.report)
        let redirects = fields.optional("redirects", .int(0...100)) ?? 10
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let url else { return nil }
        if let complaint = HTTPSyntax.complaint(aboutURL: url) {
            context.report.add(complaint, at: fields.valueLocation(of: "url"))
            return nil
        }
        if let timeout, let every, timeout > every {
            context.report.add(
                "a timeout of \(SystemdDuration.format(timeout)) is longer than the \(SystemdDuration.format(every)) "
                    + "from one poll to the next; make it shorter than 'every'", at: fields.location(of: "timeout"))
            return nil
        }
        if let every, jitter >= every {
            context.report.add(
                "a jitter as long as the period would let polls overtake each other; make it shorter than 'every'",
                at: fields.location(of: "jitter"))
            return nil
        }
        var request = HTTPRequest(url, method: method, body: body.map { Array($0.utf8) })
        request.headers = HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, $0.value) })
        if let expect { request.expect = expect }
        connection.apply(to: &request)
        request.limits.total = timeout ?? min(every ?? .seconds(30), .seconds(30))
        request.limits.redirects = redirects
        return HTTPSource(
            request: request,
            poll: every.map {
                HTTPPoll(request, every: $0, delay: delay ?? Self.moment(for: url, every: $0), jitter: jitter)
            }, settings: settings)
    }

    /// What a URL matches.
    static let pattern = "^[hH][tT][tT][pP][sS]?://"
    /// The same of a template that may become one.
    static let templatePattern = #"^(?:[hH](?:[tT](?:[tT](?:[pP](?:[sS]?(?::/?/?)?)?)?)?)?)?\{\{"#

    /// When a URL is polled first, if nobody says so: at a moment of its own within the first second, the same at each
    /// start. A thousand endpoints that all came at the same time would be late for each other.
    static func moment(for url: String, every: Duration) -> Duration {
        guard every >= .seconds(1) else { return .zero }
        var hash = StableHash()
        hash.add(url)
        return .milliseconds(Int(hash.unmixed % 1_000))
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        guard let poll else {
            var request = request
            if let maker = context.maker, request.headers["Idempotency-Key"] == nil,
                !["GET", "HEAD"].contains(request.method)
            {
                let key = "\(maker.pipeline)/\(maker.step):\(maker.event.id)"
                request.headers.append(HTTPHeaders.Field("Idempotency-Key", key))
            }
            return context.host.http.outcome(of: request).asObservable()
                .observe(on: context.scheduler).map(\.json)
        }
        return context.host.http.poll(poll, scheduler: context.scheduler).map(\.json)
    }

    var isEndless: Bool { poll != nil }

    var period: Duration? { poll?.schedule.every }

    var summary: String {
        "\(request)\(poll.map { " every \(SystemdDuration.format($0.schedule.every))" } ?? "")"
    }
}

extension HTTPOutcome {
    /// As an event.
    var json: JSON {
        var members = JSON.Object()
        for field in headers { members[field.name.lowercased()] = .string(field.value) }
        let text = String(decoding: body, as: UTF8.self)
        let timing: [(String, Duration)] = [
            ("dns", timing.dns), ("connect", timing.connect), ("tls", timing.tls), ("firstByte", timing.firstByte),
            ("total", timing.total),
        ]
        var times = JSON.Object()
        for (name, time) in timing { times[name] = .number(time / .seconds(1)) }
        var event: JSON = ["ok": .bool(ok), "status": status.map { .number(Double($0)) } ?? .null]
        event["headers"] = .object(members)
        // A body that is declared as JSON and is not is emitted as text.
        event["body"] = isJSON ? (try? JSON(parsing: body)) ?? .string(text) : .string(text)
        event["timing"] = .object(times)
        event["changed"] = .bool(changed)
        event["error"] = error.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] } ?? .null
        event["certificate"] =
            certificate.map {
                ["expires": .number($0.expires.timeIntervalSince1970), "subject": .string($0.subject)]
            } ?? .null
        return event
    }
}

extension FieldType where Value == HTTPStatuses {
    /// `{ status: [200-399] }`.
    fileprivate static var expectation: Self {
        FieldType("a mapping such as { status: [200-399] }", schema: ["type": "object"]) { node, context in
            var fields = Fields(node, in: "expect", context)
            let statuses = fields.required("status", .oneOrMore(of: .status))
            guard fields.finish(), let statuses else { return nil }
            if let ranges = HTTPStatuses(statuses) { return ranges }
            context.report.add(
                "a status is a number from 100 on, or two with a '-' between them, such as 200-399",
                at: fields.valueLocation(of: "status"))
            return nil
        }
    }
}

extension FieldType where Value == String {
    /// `204`, or `200-399`.
    fileprivate static var status: Self {
        let text = string("a status", example: "200-399")
        let schema: JSON = [
            "type": ["string", "integer"], "minimum": 100, "maximum": 999,
            "pattern": #"^[1-9][0-9]{2}(-[1-9][0-9]{2})?$|\$\{"#,
        ]
        return FieldType(text.expected, schema: schema, read: text.reader)
    }
}
