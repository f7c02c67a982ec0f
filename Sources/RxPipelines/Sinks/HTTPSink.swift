import RxEngine
import RxJQ
import RxJSON
import RxLinux
import RxYAML

/// `http: { url: TEMPLATE, method: POST, headers: {}, body: TEMPLATE, timeout: 30s, retry: { times: 5, backoff:
/// 1s..1min } }`: sends a request for each event, and retries transient failures.
struct HTTPSink: SinkKind {
    let url: Template
    let method: String
    let headers: [(name: String, value: Template)]
    /// `nil` for the event's value as JSON, unless the method has no body.
    let body: Template?
    let timeout: Duration
    let connection: HTTPConnectionOptions
    let retry: RetryPolicy
    let policy: QueuePolicy
    let settings: SinkSettings
    var spool: Int? { policy.disk }

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        var fields = FieldReader(node, in: "http", short: "url", context)
        let url = fields.required(
            "url",
            .template(
                "a URL", example: "https://hooks.example/x", mayHoldCredential: true, pattern: HTTPSource.pattern,
                templatePattern: HTTPSource.templatePattern), "The URL that requests are sent to")
        let method =
            fields.optional("method", .httpMethod(example: "POST"), "The method of the request; default: POST")
            ?? "POST"
        let headers =
            fields.optional(
                "headers",
                .map(of: .template(example: "\"{{.id}}\"", mayHoldCredential: true), names: HTTPSyntax.token),
                "Header fields of the request, by their names") ?? []
        for (name, location, value) in headers {
            HTTPSyntax.check(header: name, at: location, context.report)
            if let text = value.constant, let complaint = HTTPSyntax.complaint(aboutHeader: text) {
                context.report.add(complaint, at: location)
            }
        }
        let body = fields.optional(
            "body", .template(example: "'{\"text\": {{.path | tojson}}}'", mayHoldCredential: true),
            "The body of the request; default: the event as JSON")
        let timeout = fields.optional(
            "timeout", .duration(.milliseconds(1) ... .seconds(86_400)),
            "The longest time that an attempt may take; default: 30s")
        let retry =
            fields.optional(
                "retry", .requestRetry, "When a failed request is repeated; default: 5 times, after 1s..1min")
            ?? .request
        let connection = HTTPConnectionOptions.read(&fields, context.report)
        let policy = QueuePolicy.read(&fields)
        let settings = SinkSettings.read(&fields, recordsAll: true)
        if let url {
            if url.mayHaveSecret { context.report.secrets.mayGrow = true }
            let cannotBeURL = !["http://", "https://"].contains(where: url.mayBegin)
            let complaint =
                url.constant.map { HTTPSyntax.complaint(aboutURL: $0, context.report) }
                ?? (cannotBeURL ? "this is not a URL: it must begin with https:// or http://" : nil)
            if let complaint { context.report.add(complaint, at: fields.valueLocation(of: "url")) }
        }
        guard fields.finish(example: { "{ url: \($0.urlExample ?? "https://example.com/hook") }" }), let url else {
            return nil
        }
        return HTTPSink(
            url: url, method: method, headers: headers.map { ($0.name, $0.value) }, body: body,
            timeout: timeout ?? .seconds(30), connection: connection, retry: retry, policy: policy, settings: settings)
    }

    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction {
        let request = try request(for: event, of: context.key, context.client)
        var details: JSON = [
            "method": .string(request.method), "url": .string(request.url),
            "headers": SinkAction.members(request.headers.map { ($0.name, $0.value) }),
        ]
        if let body = request.body { details["body"] = .string(String(decoding: body, as: UTF8.self)) }
        return SinkAction(request.action, details)
    }

    func open(in context: SinkContext) -> any OpenSink {
        let (webhooks, observer) = (context.host.webhooks, context.secrets.observer(at: context.key))
        return SinkQueue(context, policy) { event in
            try request(for: event, of: context.key, context.client)
        } work: { request, scheduler in
            HTTPDelivery(request, retry, by: webhooks, on: scheduler, onSecret: observer).run()
        } done: {
            "\($0)"
        }
    }

    /// Makes the request for an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - key: the key of the sink, part of the idempotency key: the requests of several sinks for one event differ.
    ///   - client: the client of the jq evaluators for the templates.
    private func request(for event: PipelineEvent, of key: String, _ client: JQClient?) throws -> HTTPRequest {
        var request = HTTPRequest(try url.render(event, refusesNull: true, for: client), method: method)
        request.headers = HTTPHeaders(
            try headers.map { HTTPHeaders.Field($0.name, try $0.value.render(event, for: client)) })
        if let body {
            request.body = Array(try body.render(event, for: client).utf8)
        } else if !["GET", "HEAD"].contains(method) {
            request.body = event.value.bytes
        }
        if let bytes = request.body, request.headers["Content-Type"] == nil {
            let isJSON = body == nil || JSON.canParse(bytes)
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
    /// Whether the text may be a URL with a secret.
    fileprivate var mayHaveSecret: Bool { constant.map(HTTPRequest.mayHaveSecret) ?? true }

    /// Whether the text can begin with these characters for some event.
    fileprivate func mayBegin(with beginning: String) -> Bool {
        guard case .text(let text)? = parts.first else { return !parts.isEmpty }
        let known = text.lowercased()
        return known.hasPrefix(beginning) || parts.count > 1 && beginning.hasPrefix(known)
    }
}
