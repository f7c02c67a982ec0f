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
    /// `nil` to send the request once.
    let poll: HTTPPoll?
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = FieldReader(node, in: "http", context)
        let url = fields.required(
            "url", .string("a URL", example: "https://api.example/health", pattern: HTTPSource.pattern),
            "The URL that is polled")
        let every = fields.every()
        let delay = fields.optional("delay", .duration, "The time before the first poll")
        let jitter = fields.optional("jitter", .duration, "The longest random delay of a poll; default: none") ?? .zero
        let timeout = fields.optional(
            "timeout", .duration(.milliseconds(1) ... .seconds(86_400)),
            "The longest time that a poll may take; default: every, at most 30s")
        let method =
            fields.optional("method", .httpMethod(example: "GET"), "The method of the request; default: GET") ?? "GET"
        let headers =
            fields.optional(
                "headers", .map(of: .httpHeaderValue, names: HTTPSyntax.token),
                "Header fields of the request, by their names") ?? []
        for (name, location, _) in headers { HTTPSyntax.check(header: name, at: location, context.report) }
        let body = fields.optional("body", .string, "The body of the request")
        let expect = fields.optional("expect", .expectation, "Which responses count as successful")
        let connection = HTTPConnectionOptions.read(&fields, context.report)
        let maxBody =
            fields.optional("maxBody", .byteCount(1...1 << 26), "The largest body, decompressed; default: 1MiB")
            ?? Self.defaultMaxBody
        let settings = SourceSettings.read(&fields)
        guard
            fields.finish(example: {
                "{ url: \($0.urlExample ?? "https://example.com")\(context.isInnerSource ? "" : ", every: 15s") }"
            }), let url
        else { return nil }
        if let complaint = HTTPSyntax.complaint(aboutURL: url, context.report) {
            context.report.add(complaint, at: fields.valueLocation(of: "url"))
            return nil
        }
        if HTTPRequest.mayHaveSecret(url: url) { context.report.secrets.mayGrow = true }
        if let timeout, let every, timeout > every {
            context.report.add(
                "a timeout of \(SystemdDuration.format(timeout)) is longer than the \(SystemdDuration.format(every)) "
                    + "from one poll to the next; make it shorter than 'every'", at: fields.location(of: "timeout"))
            return nil
        }
        if let every, jitter >= every {
            context.report.add(
                "'jitter' must be shorter than 'every', or polls would overtake each other",
                at: fields.location(of: "jitter"))
            return nil
        }
        var request = HTTPRequest(url, method: method, body: body.map { Array($0.utf8) })
        request.headers = HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, $0.value) })
        if let expect { request.expect = expect }
        connection.apply(to: &request)
        request.limits.total = timeout ?? min(every ?? .seconds(30), .seconds(30))
        request.limits.body = maxBody
        return HTTPSource(
            request: request,
            poll: every.map {
                HTTPPoll(request, every: $0, delay: delay ?? Self.moment(for: url, every: $0), jitter: jitter)
            }, settings: settings)
    }

    /// The default of `maxBody`: the largest decompressed body, in bytes.
    private static let defaultMaxBody = 1 << 20

    /// The pattern of a URL.
    static let pattern = "^[hH][tT][tT][pP][sS]?://"
    /// The pattern of a template that may become a URL.
    static let templatePattern = #"^(?:[hH](?:[tT](?:[tT](?:[pP](?:[sS]?(?::/?/?)?)?)?)?)?)?\{\{"#

    /// The default of `delay`: a time within the first second that depends on the URL, so that the polls of a thousand
    /// endpoints do not delay each other.
    static func moment(for url: String, every: Duration) -> Duration {
        guard every >= .seconds(1) else { return .zero }
        var hash = StableHash()
        hash.add(url)
        return .milliseconds(Int(hash.unmixed % 1_000))
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        let memory = context.host.memory
        let place = context.outer.map { "\($0.pipeline)/\($0.step)" } ?? context.name
        guard let poll else {
            var request = request
            if let outer = context.outer, request.headers["Idempotency-Key"] == nil,
                !["GET", "HEAD"].contains(request.method)
            {
                let key = "\(outer.pipeline)/\(outer.step):\(outer.event.id)"
                request.headers.append(HTTPHeaders.Field("Idempotency-Key", key))
            }
            return context.host.http.outcome(
                of: request, on: context.scheduler, onSecret: context.secrets?.observer(at: place)
            )
            .asObservable().map { [request] in $0.json(of: request, within: memory) }
        }
        return context.host.http.poll(
            poll, scheduler: context.scheduler, onSecret: context.secrets?.observer(at: place),
            fires: context.fires, onWait: context.waits
        )
        .map { $0.json(of: poll.request, within: memory) }
    }

    var isEndless: Bool { poll != nil }
    var hasLargeValues: Bool { true }
    var sendsSecrets: Bool { true }

    var period: Duration? { poll?.schedule.every }

    var detail: String { request.action }

    var valueType: ValueType {
        .object([
            "ok": .boolean, "status": .number, "headers": .map, "body": .any,
            "timing": .object([
                "dns": .number, "connect": .number, "tls": .number, "firstByte": .number, "total": .number,
            ]),
            "changed": .boolean,
            "error": .object(["code": .choice(HTTPError.Code.allCases.map(\.rawValue)), "message": .text]),
            "certificate": .object(["expires": .number, "subject": .text]),
        ])
    }

    func failure(in value: JSON) -> String? { value["error"]?["message"]?.string }

    var summary: String {
        "\(request)\(poll.map { " every \(SystemdDuration.format($0.schedule.every))" } ?? "")"
    }
}

extension HTTPOutcome {
    /// The value of the event. A body whose value would take too much memory is a failure.
    func json(of request: HTTPRequest, within memory: MemoryBudget) -> JSON {
        // The memory of the bytes, and of two copies of the text, in which an invalid byte of UTF-8 becomes three
        // bytes.
        let text = 3 * body.count + 4 * body.count { $0 >= 0x80 }
        let needed = isJSON ? max(JSON.memory(parsing: body), text) : text
        let maximum = Self.memoryPerByte * request.limits.body
        if needed > maximum {
            return refusing(
                .bodyLimit,
                "the body would take \(needed >> 20) MiB of memory, and \(maximum >> 20) MiB are allowed with "
                    + "'maxBody: \(request.limits.body)'")
        }
        return memory.admit(needed + headers.memory) { isAdmitted in
            if isAdmitted { return json(body) }
            var rest = self
            rest.headers = [:]
            return rest.refusing(.resources, "no memory for the response: \(memory.shortage)")
        }
    }

    /// The memory that the value of a body may take for each byte of `maxBody`.
    private static let memoryPerByte = 32

    private func refusing(_ code: HTTPError.Code, _ message: String) -> JSON {
        var outcome = self
        outcome.ok = false
        outcome.error = HTTPError(code, message, timing: timing, certificate: certificate)
        return outcome.json(nil)
    }

    /// The value of the event with this body.
    private func json(_ body: [UInt8]?) -> JSON {
        // A response may have thousands of fields. Of those with the same name the last one counts.
        var values: [String: String] = [:]
        let names = headers.map { $0.name.lowercased() }.filter { values.updateValue("", forKey: $0) == nil }
        for field in headers { values[field.name.lowercased()] = field.value }
        let members = JSON.Object(uniqueKeysWithValues: names.map { ($0, .string(values[$0] ?? "")) })
        let timing: [(String, Duration)] = [
            ("dns", timing.dns), ("connect", timing.connect), ("tls", timing.tls), ("firstByte", timing.firstByte),
            ("total", timing.total),
        ]
        var times = JSON.Object()
        for (name, time) in timing { times[name] = .number(time / .seconds(1)) }
        var event: JSON = ["ok": .bool(ok), "status": status.map { .number(Double($0)) } ?? .null]
        event["headers"] = .object(members)
        event["body"] = body.map { value(of: $0) } ?? .null
        event["timing"] = .object(times)
        event["changed"] = .bool(changed)
        event["error"] = error.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] } ?? .null
        event["certificate"] =
            certificate.map {
                ["expires": .number($0.expires.timeIntervalSince1970), "subject": .string($0.subject)]
            } ?? .null
        return event
    }

    /// The value of a body. A body that is declared as JSON but is invalid is emitted as text.
    private func value(of body: [UInt8]) -> JSON {
        if isJSON, let value = try? JSON(parsing: body) { return value }
        return .string(String(decoding: body, as: UTF8.self))
    }
}

extension HTTPHeaders {
    /// The memory of the fields in an event, in bytes.
    var memory: Int {
        reduce(0) { memory, field in
            memory + JSON.MemoryOfPart.member + JSON.MemoryOfPart.string(field.name.utf8.count)
                + JSON.MemoryOfPart.string(field.value.utf8.count)
        }
    }
}

extension FieldType where Value == HTTPStatuses {
    /// The expected responses: `{ status: [200-399] }`.
    fileprivate static var expectation: Self {
        FieldType("a mapping such as { status: [200-399] }", schema: ["type": "object"]) { node, context in
            var fields = FieldReader(node, in: "expect", context)
            let statuses = fields.required(
                "status", .oneOrMore(of: .status), "The status codes that count as successful; default: 200-399")
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
    /// A status, or a range of statuses: `204` or `200-399`.
    fileprivate static var status: Self {
        let text = string("a status", example: "200-399")
        let schema: JSON = [
            "type": ["string", "integer"], "minimum": 100, "maximum": 999,
            "pattern": #"^[1-9][0-9]{2}(-[1-9][0-9]{2})?$|\$\{"#,
        ]
        return FieldType(text.expected, schema: schema, read: text.reader)
    }
}
