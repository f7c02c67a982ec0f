import RxEngine
import RxLinux

// Unchecked: what changes is behind the lock.
/// A request that is to reach its server.
final class HTTPDelivery: @unchecked Sendable {
    /// Longer than this nobody is left alone, whatever he asks for.
    static let longestPause = Duration.seconds(3600)

    private let request: HTTPRequest
    private let policy: RetryPolicy
    private let client: HTTPClient
    private let scheduler: any SchedulerType
    private let lock = Lock()
    private var attempts = 0
    /// When the server wants to be asked again, on the scheduler's clock.
    private var notBefore: Duration?

    init(_ request: HTTPRequest, _ policy: RetryPolicy, by client: HTTPClient, on scheduler: any SchedulerType) {
        self.request = request
        self.policy = policy
        self.client = client
        self.scheduler = scheduler
    }

    /// Asks until the server takes it, or it is no use.
    func run() -> Observable<Never> {
        let attempt = Observable<Never>.deferred { self.attempt() }.subscribe(on: scheduler)
        var policy = policy
        policy.retries = { Self.isPassing($0) }
        return attempt.retry(policy, scheduler: scheduler)
            .catch { .error(self.failure($0)) }
    }

    private func attempt() -> Observable<Never> {
        let now = scheduler.elapsed
        let pause = lock.locked { () -> Duration in
            attempts += 1
            return (notBefore.take() ?? now) - now
        }
        let answer = client.response(to: request).asObservable().map { try self.check($0) }.ignoreElements()
        return pause > .zero ? answer.delaySubscription(pause.interval, scheduler: scheduler) : answer
    }

    private func check(_ response: HTTPResponse) throws(HTTPRefusal) {
        if request.expect.contains(response.status) { return }
        if let pause = response.retryAfter {
            let end = scheduler.elapsed + min(pause, Self.longestPause)
            lock.locked { notBefore = end }
        }
        throw HTTPRefusal(status: response.status)
    }

    /// Whether trying again may help.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case let refusal as HTTPRefusal: refusal.isPassing
        case let error as HTTPError:
            switch error.code {
            case .resolve, .connect, .proxy, .tls, .timeout, .reset, .truncated, .protocol, .resources: true
            case .request, .credential, .certificate, .redirects, .headerLimit, .bodyLimit, .status: false
            }
        default: false
        }
    }

    private func failure(_ error: any Error) -> HTTPFailure {
        HTTPFailure(target: request.target, attempts: lock.locked { attempts }, cause: error)
    }
}

/// An answer that is none that was hoped for.
struct HTTPRefusal: Error, CustomStringConvertible {
    let status: Int

    var isPassing: Bool { [408, 425, 429].contains(status) || status >= 500 }
    var description: String { "the server answered \(status)" }
}

/// A request that did not reach its server, for good.
struct HTTPFailure: Error, CustomStringConvertible {
    let target: String
    let attempts: Int
    let cause: any Error

    var description: String {
        let cause = "\(cause)"
        // What went wrong on the way names the request itself.
        let prefix = cause.hasPrefix("\(target): ") ? "" : "\(target): "
        return "\(prefix)\(cause)\(attempts > 1 ? "; tried \(attempts) times" : "")"
    }
}
