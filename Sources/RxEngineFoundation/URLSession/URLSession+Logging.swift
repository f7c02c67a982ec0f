import Foundation
import RxEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Reactive where Base == URLSession {
    /// Decides for each request of the `rx` namespace whether it is logged.
    ///
    /// A logged request is written to standard error as a command line for `curl`, when it has ended, and followed by
    /// its outcome. By default, all requests are logged in debug builds, and none in release builds.
    ///
    ///     URLSession.rx.shouldLogRequest = { $0.url?.host == "api.example" }
    ///
    /// The values of header fields with credentials are not written: `Authorization`, `Cookie`, `Proxy-Authorization`
    /// and `X-Api-Key`. The closure is called on the thread that subscribes.
    @preconcurrency
    public static var shouldLogRequest: @Sendable (URLRequest) -> Bool {
        get { RequestLog.filter.withLock { $0 } }
        set { RequestLog.filter.withLock { $0 = newValue } }
    }
}

/// The log entry of a request.
struct RequestLog: Sendable {
    /// Decides whether a request is logged.
    static let filter = Locked<@Sendable (URLRequest) -> Bool>({ _ in isLoggedByDefault })
    /// Writes a line of the log. Tests replace it.
    static let output = Locked<@Sendable (String) -> Void>({ FileHandle.standardError.write(Data("\($0)\n".utf8)) })

    #if DEBUG
    private static let isLoggedByDefault = true
    #else
    private static let isLoggedByDefault = false
    #endif

    private let command: String
    private let start = ContinuousClock.now

    /// Begins the entry of a request; `nil` if it is not logged.
    init?(_ request: URLRequest) {
        let isLogged = Self.filter.withLock { $0 }
        guard isLogged(request) else { return nil }
        command = request.curlCommand
    }

    /// Writes the entry with the outcome.
    func finish(_ response: URLResponse?, _ error: (any Error)?) {
        let components = (ContinuousClock.now - start).components
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let outcome =
            if let error {
                "failed after \(milliseconds) ms: \(error)"
            } else if let response = response as? HTTPURLResponse {
                "status \(response.statusCode) after \(milliseconds) ms"
            } else {
                "no HTTP response after \(milliseconds) ms"
            }
        let write = Self.output.withLock { $0 }
        write("\(command)\n\(outcome)")
    }
}

extension URLRequest {
    /// The header fields whose values are not logged, in lower case.
    private static let credentials: Set = ["authorization", "cookie", "proxy-authorization", "x-api-key"]

    /// The request as a command line for `curl`.
    var curlCommand: String {
        var words = ["curl", "-X", httpMethod ?? "GET", (url?.absoluteString ?? "").quotedForShell]
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            let shown = Self.credentials.contains(name.lowercased()) ? "…" : value
            words += ["-H", "\(name): \(shown)".quotedForShell]
        }
        if let body = httpBody {
            words += ["--data-binary", (String(data: body, encoding: .utf8) ?? "<\(body.count) bytes>").quotedForShell]
        }
        return words.joined(separator: " ")
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    fileprivate var quotedForShell: String { "'\(replacingOccurrences(of: "'", with: "'\\''"))'" }
}
