import Glibc
import RxEngine

// Unchecked: the loop is under the lock.
/// The loop of a client, created on first use. Clients and transfers retain it; the loop stops with the last of them.
final class HTTPCore: @unchecked Sendable {
    /// The memory of the responses that polls remember.
    let remembered: MemoryQuota
    private let limits: HTTPClient.Limits
    private let userAgent: String
    private let resolver: NameResolver
    private let lock = Lock()
    private var loop: CurlLoop?

    init(_ limits: HTTPClient.Limits, userAgent: String, _ resolver: NameResolver) {
        self.resolver = resolver
        self.limits = limits
        remembered = MemoryQuota(limit: limits.remembered)
        self.userAgent = userAgent
    }

    deinit {
        loop?.stop()
    }

    /// Sends a request and calls `observer` with its result on `scheduler`, once, never before this method returns.
    ///
    /// - Parameter onSecret: called with each of its secrets.
    /// - Returns: a disposable that cancels the request.
    func start(
        _ request: HTTPRequest, conditions: HTTPHeaders = [:], on scheduler: any ImmediateSchedulerType,
        onSecret: HTTPSecretObserver? = nil,
        _ observer: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> any Disposable {
        let delivery = SingleAssignmentDisposable()
        let deliver: Transfer.Completion = { result, memory in
            delivery.setDisposable(
                scheduler.schedule(result) { result in
                    // Responses that wait for a busy scheduler count, too.
                    withExtendedLifetime(memory) { observer(result) }
                    return Disposables.create()
                })
        }
        let remote = RemoteFiles.among(request.files)
        if remote.isEmpty {
            return Disposables.create(send(request, conditions, [:], onSecret, deliver), delivery)
        }
        let running = SingleAssignmentDisposable()
        let deadline = SuspendingClock.now + request.limits.total
        let reading = RemoteFiles.shared.read(remote, until: deadline) { [self] files in
            var request = request
            request.limits.total = max(.milliseconds(1), deadline - .now)
            running.setDisposable(send(request, conditions, files, onSecret, deliver))
        }
        return Disposables.create(reading, running, delivery)
    }

    private func send(
        _ request: HTTPRequest, _ conditions: HTTPHeaders, _ files: PreparedRequest.Files,
        _ onSecret: HTTPSecretObserver?,
        _ deliver: @escaping Transfer.Completion
    ) -> any Disposable {
        do {
            let prepared = try PreparedRequest(request, conditions: conditions, files: files, onSecret: onSecret)
            let loop = try currentLoop()
            // The transfer retains the loop until it has ended.
            let transfer = Transfer(prepared) { [self] in
                deliver($0, $1)
                withExtendedLifetime(self) {}
            }
            loop.start(transfer)
            return Disposables.create { if transfer.abandon() { loop.cancel(transfer) } }
        } catch {
            deliver(.failure(error), nil)
            return Disposables.create()
        }
    }

    private func currentLoop() throws(HTTPError) -> CurlLoop {
        do {
            return try lock.locked { () throws(SystemError) -> CurlLoop in
                if let loop { return loop }
                let made = try CurlLoop.started(limits, userAgent: userAgent, resolver)
                loop = made
                return made
            }
        } catch let error as SystemError {
            throw HTTPError(.resources, error.description)
        } catch {
            throw HTTPError(.resources, "\(error)")
        }
    }
}
