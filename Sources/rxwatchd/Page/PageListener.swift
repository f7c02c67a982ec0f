import Dispatch
import RxEngine
import RxLinux
import RxPipelines

// Unchecked: used on its queue only.
/// Serves the page at the address of the running configuration.
final class PageListener: Disposable, @unchecked Sendable {
    /// The name of the socket that a socket unit passes, as `FileDescriptorName=` gives it.
    static let socketName = "page"
    /// How often a listener that has failed is tried again.
    private static let retryAfter = Duration.seconds(1)

    private let page: Page
    private let recorder: Recorder
    private let queue = DispatchQueue(label: "rx.page")
    /// The socket that the service manager has passed.
    private let passed: Int32?
    private var wanted: WebAddress?
    private var server: WebServer?
    private var hasFailed = false
    /// Grows with each change of the address, which ends the attempts for the one before.
    private var change = 0
    private var isDisposed = false
    private let shown = Locked<String?>(nil)

    /// Where the page is, or why it is not there; `nil` if none is wanted.
    var status: String? { shown.withLock(\.self) }

    init(_ page: Page, passed: Int32?, _ recorder: Recorder) {
        (self.page, self.passed, self.recorder) = (page, passed, recorder)
        guard let passed else { return }
        page.history.start()
        queue.async { self.listen(at: .passed(passed)) }
    }

    /// Serves the page at this address from now on, or nowhere. The socket of the service manager takes its place.
    func use(_ address: WebAddress?) {
        queue.async { [self] in
            guard passed == nil, address != wanted, !isDisposed else { return }
            server?.dispose()
            server = nil
            hasFailed = false
            change += 1
            guard let address else {
                page.history.stop()
                shown.withLock { $0 = nil }
                return wanted = nil
            }
            page.history.start()
            listen(at: address)
        }
    }

    private func listen(at address: WebAddress) {
        wanted = address
        do throws(SystemError) {
            let server = try WebServer(at: address) { [page] in page.answer($0) }
            self.server = server
            shown.withLock { $0 = "at \(address)" }
            let isOpen = server.allowedClients == .network
            recorder.record(
                .lifecycle, isOpen ? .warning : .info,
                "the status page is at \(address)" + (isOpen ? ", for everybody who can reach this address" : ""))
        } catch {
            shown.withLock { $0 = "none, \(error)" }
            if !hasFailed {
                recorder.record(
                    .error, .err, "\(error); there is no status page; retrying each second",
                    [.error: "\(error)", .errorType: "\(type(of: error))"])
            }
            hasFailed = true
            queue.asyncAfter(deadline: .now() + Self.retryAfter.interval) { [weak self, change] in
                guard let self, self.change == change, !isDisposed else { return }
                listen(at: address)
            }
        }
    }

    func dispose() {
        queue.sync {
            isDisposed = true
            page.history.stop()
            server?.dispose()
            server = nil
        }
    }
}
