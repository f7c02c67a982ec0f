import CCurl
import Foundation
import Testing

@Suite struct CCurlMultiTests {
    @Test func callbacksReceiveTheirPointers() throws {
        let server = try LocalServer(status: "200 OK", body: "hello")
        let multi = MultiRun()
        let transfer = Transfer("http://localhost/", through: server)
        try multi.run([transfer]) { if multi.sockets.count == 1 { server.mayAnswer() } }
        #expect(transfer.body.text == "hello")
        #expect(multi.maximumSockets == 1)
        #expect(multi.sockets == [:])
        #expect(multi.timersSet > 0)
    }

    @Test(arguments: [(0, 2), (1, 1)]) func numbersAreSet(limit: Int, sockets: Int) throws {
        let servers = try (0..<2).map { _ in try LocalServer(status: "200 OK", body: "hello") }
        let multi = MultiRun()
        #expect(rx_curl_multi_set_long(multi.handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, limit) == CURLM_OK)
        let transfers = servers.map { Transfer("http://localhost/", through: $0) }
        // No connection ends before the maximum number is reached.
        try multi.run(transfers) {
            if multi.sockets.count == sockets { for server in servers { server.mayAnswer() } }
        }
        #expect(transfers.map(\.body.text) == ["hello", "hello"])
        #expect(multi.maximumSockets == sockets)
    }

    @Test func unknownOptionIsRefused() {
        let multi = MultiRun()
        let option = CURLMoption(rawValue: 9999)
        #expect(rx_curl_multi_set_long(multi.handle, option, 1) == CURLM_UNKNOWN_OPTION)
        #expect(rx_curl_multi_set_pointer(multi.handle, option, nil) == CURLM_UNKNOWN_OPTION)
    }
}

/// Transfers driven by curl's socket and timer callbacks.
private final class MultiRun {
    let handle = curl_multi_init()
    private(set) var sockets: [curl_socket_t: Int32] = [:]
    private(set) var maximumSockets = 0
    private(set) var timersSet = 0
    private var timeout = -1

    init() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        #expect(rx_curl_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, context) == CURLM_OK)
        #expect(rx_curl_multi_set_pointer(handle, CURLMOPT_TIMERDATA, context) == CURLM_OK)
        let onSocket: curl_socket_callback = { _, socket, what, context, _ in
            MultiRun.from(context)?.watch(socket, what)
            return 0
        }
        #expect(rx_curl_multi_set_socket_callback(handle, onSocket) == CURLM_OK)
        let onTimer: curl_multi_timer_callback = { _, milliseconds, context in
            MultiRun.from(context)?.set(milliseconds)
            return 0
        }
        #expect(rx_curl_multi_set_timer_callback(handle, onTimer) == CURLM_OK)
    }

    deinit {
        curl_multi_cleanup(handle)
    }

    /// Runs until every transfer has ended, and calls `turn` before each wait.
    func run(_ transfers: [Transfer], turn: () -> Void) throws {
        for transfer in transfers { #expect(curl_multi_add_handle(handle, transfer.handle) == CURLM_OK) }
        defer { for transfer in transfers { curl_multi_remove_handle(handle, transfer.handle) } }
        let deadline = ContinuousClock.now + .seconds(10)
        var running: Int32 = 1
        while running > 0 {
            try #require(ContinuousClock.now < deadline, "the transfers do not end")
            turn()
            var polled = sockets.map { pollfd(fd: $0, events: Self.events(for: $1), revents: 0) }
            if poll(&polled, nfds_t(polled.count), timeout < 0 ? 100 : Int32(timeout)) == 0 {
                curl_multi_socket_action(handle, CURL_SOCKET_TIMEOUT, 0, &running)
            }
            for one in polled where one.revents != 0 { curl_multi_socket_action(handle, one.fd, 0, &running) }
        }
    }

    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        sockets[socket] = what == CURL_POLL_REMOVE ? nil : what
        maximumSockets = max(maximumSockets, sockets.count)
    }

    private func set(_ milliseconds: Int) {
        timeout = milliseconds
        if milliseconds >= 0 { timersSet += 1 }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MultiRun? {
        context.map { Unmanaged<MultiRun>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func events(for what: Int32) -> Int16 {
        Int16((what & CURL_POLL_IN != 0 ? POLLIN : 0) | (what & CURL_POLL_OUT != 0 ? POLLOUT : 0))
    }
}
