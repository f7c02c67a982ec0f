import RxEngine
import RxLinux

/// The delivery of one request to its server, with retries.
final class HTTPDelivery: Sendable {
    /// The longest pause that a server may ask for with `Retry-After`.
    static let longestPause = Duration.seconds(3600)

    private let request: HTTPRequest
    private let policy: RetryPolicy
    private let client: HTTPClient
    private let scheduler: RetryScheduler
    private let onSecret: HTTPSecretObserver?
    private let attempts = Locked(0)

    init(
        _ request: HTTPRequest, _ policy: RetryPolicy, by client: HTTPClient, on scheduler: RetryScheduler,
        onSecret: HTTPSecretObserver? = nil
    ) {
        self.onSecret = onSecret
        self.request = request
        self.policy = policy
        self.client = client
        self.scheduler = scheduler
    }

    /// Sends the request until the server accepts it, a permanent error occurs, or the policy gives up.
    func run() -> Observable<Never> {
        // The pause that a server has asked for belongs to the request that it refused.
        scheduler.earliest = nil
        let attempt = Observable<Never>.deferred { self.attempt() }.subscribe(on: scheduler)
        var policy = policy
        let times = policy.times ?? .max
        policy.shouldRetry = { [self] error in
            guard Self.isTransient(error) else { return false }
            if attempts.withLock({ $0 <= times }) { scheduler.onRetry(error) }
            return true
        }
        return attempt.retry(policy, scheduler: scheduler)
            .catch { .error(self.failure($0)) }
    }

    private func attempt() -> Observable<Never> {
        attempts.withLock { $0 += 1 }
        let pause = scheduler.earliest.map { $0 - scheduler.elapsed } ?? .zero
        scheduler.earliest = nil
        let answer = client.response(to: request, onSecret: onSecret).asObservable().map { try self.check($0) }
            .ignoreElements()
        return pause > .zero ? answer.delaySubscription(pause.interval, scheduler: scheduler) : answer
    }

    private func check(_ response: HTTPResponse) throws(HTTPRefusal) {
        if request.expect.contains(response.status) { return }
        if let pause = response.retryAfter {
            scheduler.earliest = scheduler.elapsed + min(pause, Self.longestPause)
        }
        throw HTTPRefusal(status: response.status)
    }

    /// Whether a later attempt may succeed.
    private static func isTransient(_ error: any Error) -> Bool {
        switch error {
        case let refusal as HTTPRefusal: refusal.isTransient
        case let error as HTTPError:
            switch error.code {
            case .resolve, .connect, .proxy, .tls, .timeout, .reset, .truncated, .protocol, .resources: true
            case .request, .credential, .certificate, .redirects, .headerLimit, .bodyLimit, .status: false
            }
        default: false
        }
    }

    private func failure(_ error: any Error) -> HTTPFailure {
        HTTPFailure(target: "\(request)", attempts: attempts.withLock(\.self), cause: error)
    }
}

/// A response with an unexpected status.
struct HTTPRefusal: Error, CustomStringConvertible {
    let status: Int

    var isTransient: Bool { [408, 425, 429].contains(status) || status >= 500 }
    var description: String { "the server answered \(status)" }
}

/// The final failure of a request.
struct HTTPFailure: Error, CustomStringConvertible {
    let target: String
    let attempts: Int
    let cause: any Error

    var description: String {
        let cause = "\(cause)"
        // Errors of the transfer name the request themselves.
        let prefix = cause.hasPrefix("\(target): ") ? "" : "\(target): "
        return "\(prefix)\(cause)\(attempts > 1 ? "; tried \(attempts) times" : "")"
    }
}
