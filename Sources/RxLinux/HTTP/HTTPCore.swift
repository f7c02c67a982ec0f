import Glibc
import RxEngine

// Unchecked: the loop is behind the lock.
/// A client's loop, made when it is first needed. Whatever uses it holds it; the loop stops when nobody does.
final class HTTPCore: @unchecked Sendable {
    private let limits: HTTPClient.Limits
    private let userAgent: String
    private let lock = Lock()
    private var loop: CurlLoop?

    init(_ limits: HTTPClient.Limits, userAgent: String) {
        self.limits = limits
        self.userAgent = userAgent
    }

    deinit {
        loop?.stop()
    }

    /// Makes a request and tells `observer` on `scheduler` what has come of it, once, never before this returns.
    ///
    /// - Returns: what gives the request up.
    func start(
        _ request: HTTPRequest, conditions: HTTPHeaders = [:], on scheduler: any ImmediateSchedulerType,
        _ observer: @escaping Transfer.Completion
    ) -> any Disposable {
        let delivery = SingleAssignmentDisposable()
        let deliver: Transfer.Completion = { result in
            delivery.setDisposable(
                scheduler.schedule(result) {
                    observer($0)
                    return Disposables.create()
                })
        }
        do {
            let prepared = try PreparedRequest(request, conditions: conditions)
            let loop = try currentLoop()
            // Until it has ended, the transfer keeps the loop going.
            let transfer = Transfer(prepared) { [self] in
                deliver($0)
                withExtendedLifetime(self) {}
            }
            loop.start(transfer)
            return Disposables.create(
                Disposables.create { if transfer.abandon() { loop.cancel(transfer) } }, delivery)
        } catch {
            deliver(.failure(error))
            return delivery
        }
    }

    private func currentLoop() throws(HTTPError) -> CurlLoop {
        do {
            return try lock.locked { () throws(SystemError) -> CurlLoop in
                if let loop { return loop }
                let made = try CurlLoop.started(limits, userAgent: userAgent)
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
