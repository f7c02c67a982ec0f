import Foundation
import RxEngine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Reactive where Base == URLSession {
    /// Decides for each request of the `rx` namespace whether it is logged.
    ///
    /// A logged request is written to standard error as a command line for `curl`, when it has ended or was cancelled, and
    /// followed by its outcome. By default, all requests are logged in debug builds, and none in release builds.
    ///
    ///     URLSession.rx.shouldLogRequest = { $0.url?.host == "api.example" }
    ///
    /// Neither the password of an address is written, nor the values of header fields with credentials: `Authorization`,
    /// `Cookie`, `Proxy-Authorization` and `X-Api-Key`; the rest of the address and the body are. The closure is
    /// called on the thread that subscribes.
    @preconcurrency
    public static var shouldLogRequest: @Sendable (URLRequest) -> Bool {
        get { RequestLog.filter.withLock { $0 } }
        set {
            // The previous closure is released after the lock: the deinitializers of objects that it captures may read
            // this property.
            var previous = newValue
            RequestLog.filter.withLock { swap(&$0, &previous) }
        }
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
    /// The password of the address, with the characters around it, which the session's errors repeat.
    private let password: String?
    private let start = ContinuousClock.now

    /// Begins the entry of a request; `nil` if it is not logged.
    init?(_ request: URLRequest) {
        let isLogged = Self.filter.withLock { $0 }
        guard isLogged(request) else { return nil }
        command = request.curlCommand
        password = request.address.rangeOfPassword.map { ":\(request.address[$0])@" }
    }

    /// Writes the entry with the outcome.
    func finish(_ response: URLResponse?, _ error: (any Error)?) {
        if let error {
            write("failed", ": \(redacted("\(error)"))")
        } else if let response = response as? HTTPURLResponse {
            write("status \(response.statusCode)")
        } else {
            write("no HTTP response")
        }
    }

    /// Writes the entry of a request whose subscription was disposed.
    func cancel() {
        write("cancelled")
    }

    private func write(_ outcome: String, _ reason: String = "") {
        let components = (ContinuousClock.now - start).components
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let write = Self.output.withLock { $0 }
        write("\(command)\n\(outcome) after \(milliseconds) ms\(reason)")
    }

    private func redacted(_ text: String) -> String {
        password.map { text.replacingOccurrences(of: $0, with: ":…@") } ?? text
    }
}

extension URLRequest {
    /// The header fields whose values are not logged, in lower case.
    private static let credentials: Set = ["authorization", "cookie", "proxy-authorization", "x-api-key"]

    fileprivate var address: String { url?.absoluteString ?? "" }

    /// The request as a command line for `curl`, without credentials.
    var curlCommand: String {
        var shownAddress = address
        if let range = shownAddress.rangeOfPassword { shownAddress.replaceSubrange(range, with: "…") }
        var words = ["curl", "-X", httpMethod ?? "GET", shownAddress.quotedForShell]
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
    /// Where the password stands in an address such as `https://user:password@host/path`.
    fileprivate var rangeOfPassword: Range<Index>? {
        guard let slashes = range(of: "//") else { return nil }
        let authority = self[slashes.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") else {
            return nil
        }
        return index(after: colon)..<at
    }

    /// The text as one word of a POSIX shell.
    fileprivate var quotedForShell: String { "'\(replacingOccurrences(of: "'", with: "'\\''"))'" }
}
