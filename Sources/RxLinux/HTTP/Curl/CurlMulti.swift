import CCurl
import RxEngine

/// A connection pool of libcurl (a multi handle) with its sockets and its timer. Only the loop's thread uses it.
final class CurlMulti {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    /// How long a cached address is used, in seconds.
    private static let addressLifetime = 60

    /// When libcurl is to be called next if no socket is ready before.
    private(set) var timerDue = UInt64.max

    private let multi: UnsafeMutableRawPointer
    private let watch: (curl_socket_t, Int32) -> Void
    private var nextExpiry: UInt64 = 0

    /// - Parameters:
    ///   - limits: the limits of the client.
    ///   - idle: how many idle connections are kept open.
    ///   - watch: takes each socket to watch, and its events.
    init?(_ limits: HTTPClient.Limits, idle: Int, watch: @escaping (curl_socket_t, Int32) -> Void) {
        guard Self.isReady, let multi = InheritableSockets.preventInheritance({ curl_multi_init() }) else { return nil }
        self.multi = multi
        self.watch = watch
        let context = Unmanaged.passUnretained(self).toOpaque()
        rx_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        rx_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        rx_curl_multi_set_socket_callback(multi) { _, socket, events, context, _ in
            CurlMulti.from(context)?.watch(socket, events)
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
        // The callbacks have nothing to do: closing a socket removes it from epoll.
        rx_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, nil)
        rx_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, nil)
        curl_multi_cleanup(multi)
    }

    /// Starts the transfer of `handle`.
    func add(_ handle: UnsafeMutableRawPointer, at now: UInt64) {
        // As each transfer ends, libcurl searches its whole address cache for expired entries, unless this transfer's
        // entries never expire. One search a second is enough.
        let expires = now >= nextExpiry
        if expires { nextExpiry = now + 1_000_000_000 }
        rx_curl_set_long(handle, CURLOPT_DNS_CACHE_TIMEOUT, expires ? Self.addressLifetime : -1)
        curl_multi_add_handle(multi, handle)
    }

    /// Cancels the transfer of `handle`, unless it has ended.
    func remove(_ handle: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi, handle)
    }

    /// Reports the events of a socket to libcurl.
    func socketAction(_ socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, events, &running)
    }

    /// Reports to libcurl that its timer has fired.
    func timerFired() {
        timerDue = .max
        socketAction(rx_curl_timeout_socket, 0)
    }

    /// Returns a transfer that has ended, each once, and its result.
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
