import CCurl
import Glibc
import RxEngine

/// Waits for all sockets and timers of libcurl. Only the loop's thread uses it.
///
/// libcurl iterates over half of a pool's connections after each transfer. If the number of connections is not limited,
/// servers are therefore spread over several pools; a new pool is created when the others are full.
final class CurlSockets {
    /// The number of servers of a pool before the next one is created.
    private static let serversPerPool = 32
    private static let maximumPools = 16
    private static let maximumServers = 10_000

    private let limits: HTTPClient.Limits
    private let loop: Int32
    private let wakeUp: WakeUpDescriptor
    private let poolLimit: Int
    private let idle: Int
    private var pools: [CurlMulti] = []
    /// The number of servers of each pool.
    private var serverCounts: [Int] = []
    private var poolOfServer: [Substring: Int] = [:]
    /// The pool of each socket.
    private var poolOfSocket: [CurlMulti?] = []
    private var isClosed = false
    private var descriptors = [Int32](repeating: 0, count: RX_LOOP_MOST)
    private var events = [Int32](repeating: 0, count: RX_LOOP_MOST)

    init(_ limits: HTTPClient.Limits, wakeUp: WakeUpDescriptor) throws(SystemError) {
        let doing = "making an HTTP client"
        self.limits = limits
        self.wakeUp = wakeUp
        let idle = limits.idleConnections ?? Self.quarterOfDescriptorLimit()
        let isLimited = limits.connections != nil || limits.connectionsPerHost != nil
        poolLimit = isLimited ? 1 : max(1, min(Self.maximumPools, idle / (2 * Self.serversPerPool)))
        self.idle = idle / poolLimit
        loop = try Descriptor(rx_loop_make(), doing).release()
        guard rx_loop_watch(loop, wakeUp.descriptor, CURL_POLL_IN) == 0 else { throw SystemError.last(doing) }
        guard addPool() else { throw SystemError(ENOMEM, doing) }
    }

    deinit {
        close()
    }

    /// Releases the pools and the epoll descriptor. Nothing may be called afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        poolOfSocket = []
        pools = []
        Glibc.close(loop)
    }

    /// Returns the pool for `request` at `url`, always the same for a server.
    func multi(for request: HTTPRequest, at url: String) -> CurlMulti {
        guard poolLimit > 1 else { return pools[0] }
        let server = request.server(at: url)
        if let known = poolOfServer[server] { return pools[known] }
        if poolOfServer.count >= Self.maximumServers {
            poolOfServer = [:]
            serverCounts = serverCounts.map { _ in 0 }
        }
        let number = poolForNewServer()
        poolOfServer[server] = number
        serverCounts[number] += 1
        return pools[number]
    }

    private func poolForNewServer() -> Int {
        if let number = serverCounts.firstIndex(where: { $0 < Self.serversPerPool }) { return number }
        if pools.count < poolLimit, addPool() { return pools.count - 1 }
        return serverCounts.indices.min { serverCounts[$0] < serverCounts[$1] } ?? 0
    }

    private func addPool() -> Bool {
        let number = pools.count
        guard let pool = CurlMulti(limits, idle: idle, watch: { [unowned self] in watch($0, $1, by: number) }) else {
            return false
        }
        pools.append(pool)
        serverCounts.append(0)
        return true
    }

    /// Waits for events, at most until `due`, and passes them to libcurl.
    func wait(until due: UInt64, onWakeUp: () -> Void) {
        let due = pools.reduce(due) { min($0, $1.timerDue) }
        let count = rx_loop_wait(loop, &descriptors, &events, Self.milliseconds(until: due))
        for index in 0..<max(0, Int(count)) {
            let descriptor = descriptors[index]
            if descriptor == wakeUp.descriptor {
                onWakeUp()
            } else if poolOfSocket.indices.contains(Int(descriptor)) {
                poolOfSocket[Int(descriptor)]?.socketAction(descriptor, events[index])
            }
        }
        let now = MonotonicClock.now
        for pool in pools where pool.timerDue <= now { pool.timerFired() }
    }

    /// Calls `body` with each transfer that has ended, once.
    func forEachEnded(_ body: (UnsafeMutableRawPointer, CURLcode) -> Void) {
        for pool in pools {
            while let (handle, code) = pool.nextEnded() { body(handle, code) }
        }
    }

    private func watch(_ socket: curl_socket_t, _ events: Int32, by number: Int) {
        if events == CURL_POLL_REMOVE {
            _ = rx_loop_forget(loop, socket)
        } else {
            // These are the resolver's sockets: those of connections are opened close-on-exec.
            InheritableSockets.preventInheritance(socket)
            while poolOfSocket.count <= socket { poolOfSocket.append(nil) }
            poolOfSocket[Int(socket)] = pools[number]
            // A socket that cannot be watched has no events, and its transfer times out.
            _ = rx_loop_watch(loop, socket, events)
        }
    }

    /// The milliseconds until a time, rounded up, so that the timer is due after the wait.
    private static func milliseconds(until due: UInt64) -> Int32 {
        guard due != .max else { return -1 }
        let now = MonotonicClock.now
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }

    /// A quarter of the descriptor limit: the most idle connections, and the most concurrent requests.
    static func quarterOfDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 128 }
        return Int(clamping: min(limit.rlim_cur / 4, 1 << 16))
    }
}

extension HTTPRequest {
    /// The identity of the server of a URL: the unix socket, or the scheme, the host and the port.
    func server(at url: String) -> Substring {
        if let socket = route.socket { return socket[...] }
        guard let scheme = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return url[...] }
        let rest = url.utf8[scheme...].dropFirst("://".utf8.count)
        return url[..<(rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? url.endIndex)]
    }
}
