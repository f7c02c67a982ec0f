import CCurl
import Glibc
import RxEngine

/// libcurl's sockets and its timer, and the one wait for all of them. It belongs to the loop's thread.
final class CurlSockets {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// When libcurl wants to be called next, if nothing happens before.
    private(set) var timerDue = UInt64.max

    private let multi: UnsafeMutableRawPointer
    private let loop: Int32
    private let bell: Bell
    private var isClosed = false
    private var descriptors = [Int32](repeating: 0, count: RX_LOOP_MOST)
    private var happened = [Int32](repeating: 0, count: RX_LOOP_MOST)

    init(_ limits: HTTPClient.Limits, bell: Bell) throws(SystemError) {
        let doing = "making an HTTP client"
        guard Self.isReady, let multi = InheritableSockets.withhold({ curl_multi_init() }) else {
            throw SystemError(ENOMEM, doing)
        }
        self.bell = bell
        self.multi = multi
        loop = rx_loop_make()
        guard loop >= 0, rx_loop_watch(loop, bell.descriptor, CURL_POLL_IN) == 0 else { throw SystemError.last(doing) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        rx_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        rx_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        rx_curl_multi_set_socket_callback(multi) { _, socket, what, context, _ in
            CurlSockets.from(context)?.watch(socket, what)
            return 0
        }
        rx_curl_multi_set_timer_callback(multi) { _, milliseconds, context in
            CurlSockets.from(context)?.setTimer(milliseconds)
            return 0
        }
        rx_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, limits.idleConnections ?? Self.halfTheDescriptors()))
        rx_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max(0, limits.connections ?? 0))
        rx_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, limits.connectionsPerHost ?? 0))
    }

    deinit {
        close()
    }

    /// Lets go of everything. Nothing else is called afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        curl_multi_cleanup(multi)
        if loop >= 0 { Glibc.close(loop) }
    }

    func add(_ handle: UnsafeMutableRawPointer) {
        curl_multi_add_handle(multi, handle)
    }

    func remove(_ handle: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, handle)
    }

    /// Waits until something happens, and no longer than to `due`, and lets libcurl see to it.
    func wait(until due: UInt64, onBell: () -> Void) {
        let count = rx_loop_wait(loop, &descriptors, &happened, Self.milliseconds(until: due))
        var running: Int32 = 0
        for index in 0..<max(0, Int(count)) {
            if descriptors[index] == bell.descriptor {
                onBell()
            } else {
                curl_multi_socket_action(multi, descriptors[index], happened[index], &running)
            }
        }
        guard timerDue != .max, timerDue <= MonotonicClock.now else { return }
        timerDue = .max
        curl_multi_socket_action(multi, rx_curl_timeout_socket, 0, &running)
    }

    /// A transfer that has ended, each once.
    func nextEnded() -> (UnsafeMutableRawPointer, CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            return (handle, message.pointee.data.result)
        }
        return nil
    }

    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        if what == CURL_POLL_REMOVE {
            _ = rx_loop_forget(loop, socket)
        } else {
            // The resolver's: those of connections are withheld when they are made.
            InheritableSockets.withhold(socket)
            // One that cannot be watched never has news, and its transfer ends when its time is over.
            _ = rx_loop_watch(loop, socket, what)
        }
    }

    private func setTimer(_ milliseconds: Int) {
        timerDue = milliseconds < 0 ? .max : MonotonicClock.now + UInt64(milliseconds) * 1_000_000
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlSockets? {
        context.map { Unmanaged<CurlSockets>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Rounded up, so that what is waited for is due afterwards.
    private static func milliseconds(until due: UInt64) -> Int32 {
        guard due != .max else { return -1 }
        let now = MonotonicClock.now
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    private static func halfTheDescriptors() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 256 }
        return Int(clamping: min(limit.rlim_cur / 2, 1 << 16))
    }
}
