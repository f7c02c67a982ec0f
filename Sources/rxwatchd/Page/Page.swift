import Dispatch
import FoundationEssentials
import RxEngine
import RxJSON
import RxLinux
import RxPipelines
import Synchronization

/// The status page: what a browser, a Prometheus and a health check get of the daemon.
///
/// Everything is read-only. While nobody has the page open, it costs what its ``history`` does.
final class Page: Sendable {
    /// The most open pages at once.
    static let maximumStreams = 8
    /// The longest value of an event in bytes that is sent as it is.
    private static let longestValue = 4096
    /// The most bytes of what nodes do while the history for a new page is made.
    private static let maximumEarly = 64 << 10

    private let reporter: ResourceReporter
    private let secrets: HiddenSecrets
    /// What was before a page is opened.
    let history: PageHistory
    private let count = Atomic(0)
    /// The status each second, for each open page.
    private let statuses: Observable<PageStatus>

    init(_ reporter: ResourceReporter, _ taps: TapRegistry, hiding secrets: HiddenSecrets) {
        (self.reporter, self.secrets) = (reporter, secrets)
        history = PageHistory(on: reporter.scheduler, taps, hiding: secrets) { reporter.running?.number }
        statuses = Observable<Int>.timer(.seconds(0), period: .seconds(1), scheduler: reporter.scheduler)
            .compactMap { _ -> JSON? in
                guard var status = reporter.details(hiding: secrets) else { return nil }
                status["now"] = .number(RxTime().timeIntervalSince1970)
                return status
            }
            .scan(nil) { PageStatus($1, after: $0) }
            .unwrap()
            .share(replay: 1, scope: .whileConnected)
    }

    /// The answer to a request.
    func answer(_ request: WebRequest) -> WebAnswer {
        // A page of another site whose name an attacker has made resolve to this host could read everything.
        guard request.isForThisHost else {
            return text("address this server by its number or as localhost\n", status: 421)
        }
        switch request.path {
        case "/": return document()
        case "/stream": return stream()
        case "/metrics":
            let metrics = Metrics(reporter, isOpenMetrics: request.accept.contains("application/openmetrics-text"))
            return .response(
                status: 200, fields: Self.fields(metrics.type), body: Array(metrics.text(hiding: secrets).utf8))
        case "/healthz":
            return reporter.running == nil ? text("starting or stopping\n", status: 503) : text("ok\n")
        default: return text("not found; the pages are /, /metrics and /healthz\n", status: 404)
        }
    }

    private func text(_ text: String, status: Int = 200) -> WebAnswer {
        .response(status: status, fields: Self.fields("text/plain; charset=utf-8"), body: Array(text.utf8))
    }

    private static func fields(_ type: String) -> [(name: String, value: String)] {
        [
            ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }

    // MARK: - The document

    private func document() -> WebAnswer {
        let nonce =
            "\(String(UInt64.random(in: 0 ... .max), radix: 36))\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let policy = [
            "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "connect-src 'self'",
            "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ]
        let html = String(decoding: PackageResources.page_html, as: UTF8.self)
        return .response(
            status: 200,
            fields: Self.fields("text/html; charset=utf-8") + [
                ("Content-Security-Policy", policy.joined(separator: "; ")), ("X-Frame-Options", "DENY"),
            ], body: Array(html.replacing("nonce=\"NONCE\"", with: "nonce=\"\(nonce)\"").utf8))
    }

    // MARK: - The stream

    private func stream() -> WebAnswer {
        // One thread answers all requests.
        guard count.load(ordering: .relaxed) < Self.maximumStreams else {
            return text("\(Self.maximumStreams) pages are open already\n", status: 503)
        }
        return .stream(fields: Self.fields("text/event-stream") + [("X-Accel-Buffering", "no")]) { [self] in begin($0) }
    }

    /// Sends what was before, and then the status each second, whole or as the edits that lead to it from the one before,
    /// and what nodes do as it happens, until the connection is closed.
    private func begin(_ stream: WebStream) {
        count.add(1, ordering: .relaxed)
        let subscription = CompositeDisposable()
        stream.whenEnded { [self] in
            count.subtract(1, ordering: .relaxed)
            subscription.dispose()
        }
        let early = Locked(EarlyNotifications(maximumBytes: Self.maximumEarly))
        let client = TapClient(lifecycle: true, hiding: secrets) { line in
            let line = Self.withoutDrops(Self.shortened(line, to: Self.longestValue))
            let bytes = Self.message("notification", line)
            return early.withLock { $0.hold(bytes) } || stream.send(bytes)
        }
        let (message, following) = history.follow { client.receive($0, $1) }
        _ = subscription.insert(following)
        // Sent under the lock, since that does not block: nothing may come between, and nothing before.
        early.withLock { _ = stream.send(message + $0.release()) }
        // A slow page that was not sent a status gets the next one whole.
        let hasPrevious = Locked(false)
        _ = subscription.insert(
            statuses.subscribe(onNext: { status in
                let isNext = hasPrevious.withLock { $0 }
                let isSent = stream.send(isNext ? status.changes : status.whole)
                hasPrevious.withLock { $0 = isSent }
            }))
    }

    /// A server-sent event.
    static func message(_ event: String, _ data: JSON) -> [UInt8] {
        Array("event: \(event)\ndata: ".utf8) + data.bytes + Array("\n\n".utf8)
    }

    /// A line about what a node does, with a large value shortened to a text.
    static func shortened(_ line: JSON, to length: Int) -> JSON {
        var line = line
        if let value = line["value"], value.memory > length {
            let text = value.bytes
            if text.count > length { line["value"] = .string(beginning(of: text, length)) }
        }
        return line
    }

    /// The first bytes of a text, up to the beginning of a character.
    static func beginning(of text: some BidirectionalCollection<UInt8>, _ length: Int) -> String {
        var end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
        while end < text.endIndex, end > text.startIndex, UTF8.isContinuation(text[end]) {
            end = text.index(before: end)
        }
        return String(decoding: text[..<end], as: UTF8.self) + cutMark
    }

    /// The end of a text of which the page gets the beginning.
    static let cutMark = "…"

    /// Returns the beginning in a text that was cut; `nil` if it was not.
    static func cutText(_ text: String) -> String? {
        let count = cutMark.utf8.count
        guard text.utf8.suffix(count).elementsEqual(cutMark.utf8) else { return nil }
        return String(decoding: text.utf8.dropLast(count), as: UTF8.self)
    }

    /// The line with the number of those before it that were dropped under the name that the page reads.
    private static func withoutDrops(_ line: JSON) -> JSON {
        var line = line
        if let dropped = line["dropped"] { (line["missing"], line["dropped"]) = (dropped, nil) }
        return line
    }
}
