import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `http: { url: TEMPLATE, method: POST, headers: {}, body: TEMPLATE, timeout: 30s, retry: { times: 5, backoff:
/// 1s..1min } }`: a request for each event, tried again where that may help.
struct HTTPSink: SinkKind {
    let url: Template
    let method: String
    let headers: [(name: String, value: Template)]
    /// `nil` for the event's value as JSON, unless the method has no body.
    let body: Template?
    let timeout: Duration
    let connection: HTTPConnectionOptions
    let retry: RetryPolicy
    let rules: QueuePolicy
    let settings: SinkSettings
    var spool: Int? { rules.disk }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        var fields = Fields(node, in: "http", short: "url", context)
        let url = fields.required(
            "url",
            .template(
                "a URL", example: "https://hooks.example/x", mayHoldCredential: true, pattern: HTTPSource.pattern,
                templatePattern: HTTPSource.templatePattern))
        let method = fields.optional("method", .httpMethod(example: "POST")) ?? "POST"
        let headers =
            fields.optional(
                "headers",
                .map(of: .template(example: "\"{{.id}}\"", mayHoldCredential: true), names: HTTPSyntax.token)) ?? []
        for (name, location, value) in headers {
            HTTPSyntax.check(header: name, at: location, context.report)
            if let text = value.constant, let complaint = HTTPSyntax.complaint(aboutHeader: text) {
                context.report.add(complaint, at: location)
            }
        }
        let body = fields.optional(
            "body", .template(example: "'{\"text\": {{.path | tojson}}}'", mayHoldCredential: true))
        let timeout = fields.optional("timeout", .duration(.milliseconds(1) ... .seconds(86_400)))
        let retry = fields.optional("retry", .requestRetry) ?? .request
        let connection = HTTPConnectionOptions.read(&fields, context.report)
        let rules = QueuePolicy.read(&fields)
        let settings = SinkSettings.read(&fields)
        if let url {
            let isHopeless = !["http://", "https://"].contains(where: url.mayBegin)
            let complaint =
                url.constant.map { HTTPSyntax.complaint(aboutURL: $0) }
                ?? (isHopeless ? "this is no URL: it begins with https:// or http://" : nil)
            if let complaint { context.report.add(complaint, at: fields.valueLocation(of: "url")) }
        }
        guard fields.finish(), let url else { return nil }
        return HTTPSink(
            url: url, method: method, headers: headers.map { ($0.name, $0.value) }, body: body,
            timeout: timeout ?? .seconds(30), connection: connection, retry: retry, rules: rules, settings: settings)
    }

    func open(in context: SinkContext) -> any OpenSink {
        let client = context.host.http
        return SinkQueue(context, rules) { event in
            try request(for: event, of: context.key)
        } work: { request, scheduler in
            HTTPDelivery(request, retry, by: client, on: scheduler).run()
        } done: {
            $0.target
        }
    }

    /// - Parameter key: the sink. One event may lead to a request of each sink, and each request is one of its own.
    private func request(for event: PipelineEvent, of key: String) throws -> HTTPRequest {
        var request = HTTPRequest(try url.render(event, refusesNull: true), method: method)
        request.headers = HTTPHeaders(try headers.map { HTTPHeaders.Field($0.name, try $0.value.render(event)) })
        if let body {
            request.body = Array(try body.render(event).utf8)
        } else if !["GET", "HEAD"].contains(method) {
            request.body = event.value.bytes
        }
        if let bytes = request.body, request.headers["Content-Type"] == nil {
            let isJSON = body == nil || (try? JSON(parsing: bytes)) != nil
            request.headers.append(
                HTTPHeaders.Field("Content-Type", isJSON ? "application/json" : "text/plain; charset=utf-8"))
        }
        if request.headers["Idempotency-Key"] == nil {
            request.headers.append(HTTPHeaders.Field("Idempotency-Key", "\(key)/\(event.id)"))
        }
        connection.apply(to: &request)
        request.limits.total = timeout
        request.expect = HTTPStatuses(200...299)
        request.needsBody = false
        return request
    }
}

extension Template {
    /// Whether the text can begin with these characters, whatever the event.
    fileprivate func mayBegin(with beginning: String) -> Bool {
        guard case .text(let text)? = parts.first else { return !parts.isEmpty }
        let known = text.lowercased()
        return known.hasPrefix(beginning) || parts.count > 1 && beginning.hasPrefix(known)
    }
}
