import CCurl
import RxEngine

/// One pool of connections of libcurl's, with its sockets and its timer. It belongs to the loop's thread.
final class CurlMulti {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// How long an address that was found is used, in seconds.
    private static let addressLife = 60

    /// When libcurl wants to be called next, if nothing happens before.
    private(set) var timerDue = UInt64.max

    private let multi: UnsafeMutableRawPointer
    private let watch: (curl_socket_t, Int32) -> Void
    private var nextLook: UInt64 = 0

    /// - Parameters:
    ///   - idle: how many connections are kept open.
    ///   - watch: told which sockets to watch, and for what.
    init?(_ limits: HTTPClient.Limits, idle: Int, watch: @escaping (curl_socket_t, Int32) -> Void) {
        guard Self.isReady, let multi = InheritableSockets.withhold({ curl_multi_init() }) else { return nil }
        self.multi = multi
        self.watch = watch
        let context = Unmanaged.passUnretained(self).toOpaque()
        rx_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        rx_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        rx_curl_multi_set_socket_callback(multi) { _, socket, what, context, _ in
            CurlMulti.from(context)?.watch(socket, what)
            return 0
        }
        rx_curl_multi_set_timer_callback(multi) { _, milliseconds, context in
            CurlMulti.from(context)?.setTimer(milliseconds)
            return 0
        }
        rx_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(1, idle))
        rx_curl_multi_set_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, max(0, limits.connections ?? 0))
        rx_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, limits.connectionsPerHost ?? 0))
    }

    deinit {
        // The kernel forgets the sockets that are closed now.
        rx_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, nil)
        rx_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, nil)
        curl_multi_cleanup(multi)
    }

    /// Starts the transfer of `handle`.
    func add(_ handle: UnsafeMutableRawPointer, at now: UInt64) {
        // As each transfer ends, libcurl looks through all the addresses it knows for those that have grown old, unless
        // they last for ever to this one. One look a second will do.
        let looks = now >= nextLook
        if looks { nextLook = now + 1_000_000_000 }
        rx_curl_set_long(handle, CURLOPT_DNS_CACHE_TIMEOUT, looks ? Self.addressLife : -1)
        curl_multi_add_handle(multi, handle)
    }

    /// Gives the transfer of `handle` up, unless it has ended.
    func remove(_ handle: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, handle)
    }

    /// Tells libcurl what has happened to a socket.
    func act(_ socket: curl_socket_t, _ happened: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, happened, &running)
    }

    /// Tells libcurl that the time has come that it waits for.
    func actOnTime() {
        timerDue = .max
        act(rx_curl_timeout_socket, 0)
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

    private func setTimer(_ milliseconds: Int) {
        timerDue = milliseconds < 0 ? .max : MonotonicClock.now + UInt64(milliseconds) * 1_000_000
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlMulti? {
        context.map { Unmanaged<CurlMulti>.fromOpaque($0).takeUnretainedValue() }
    }
}
