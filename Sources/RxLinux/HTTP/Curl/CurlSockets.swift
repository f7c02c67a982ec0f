import CCurl
import Glibc
import RxEngine

/// The one wait for all of libcurl's sockets and timers. It belongs to the loop's thread.
///
/// libcurl walks through half of a pool's connections after each transfer. Where nobody limits how many there are in
/// all, servers are therefore spread over several pools, the next of which is made when the others are full.
final class CurlSockets {
    /// How many servers a pool has before the next one is made.
    private static let full = 32
    private static let mostPools = 16
    private static let mostServers = 10_000

    private let limits: HTTPClient.Limits
    private let loop: Int32
    private let bell: Bell
    private let most: Int
    private let idle: Int
    private var pools: [CurlMulti] = []
    /// How many servers each pool has.
    private var sizes: [Int] = []
    private var poolOf: [Substring: Int] = [:]
    /// The pool of each socket.
    private var owners: [CurlMulti?] = []
    private var isClosed = false
    private var descriptors = [Int32](repeating: 0, count: RX_LOOP_MOST)
    private var happened = [Int32](repeating: 0, count: RX_LOOP_MOST)

    init(_ limits: HTTPClient.Limits, bell: Bell) throws(SystemError) {
        let doing = "making an HTTP client"
        self.limits = limits
        self.bell = bell
        let idle = limits.idleConnections ?? Self.halfTheDescriptors()
        let isLimited = limits.connections != nil || limits.connectionsPerHost != nil
        most = isLimited ? 1 : max(1, min(Self.mostPools, idle / (2 * Self.full)))
        self.idle = idle / most
        loop = try Descriptor(rx_loop_make(), doing).release()
        guard rx_loop_watch(loop, bell.descriptor, CURL_POLL_IN) == 0 else { throw SystemError.last(doing) }
        guard addPool() else { throw SystemError(ENOMEM, doing) }
    }

    deinit {
        close()
    }

    /// Lets go of everything. Nothing else is called afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        owners = []
        pools = []
        Glibc.close(loop)
    }

    /// The pool for `request`, always the same for a server.
    func multi(for request: HTTPRequest) -> CurlMulti {
        guard most > 1 else { return pools[0] }
        let server = request.server
        if let known = poolOf[server] { return pools[known] }
        if poolOf.count >= Self.mostServers {
            poolOf = [:]
            sizes = sizes.map { _ in 0 }
        }
        let number = emptiest()
        poolOf[server] = number
        sizes[number] += 1
        return pools[number]
    }

    private func emptiest() -> Int {
        if let number = sizes.firstIndex(where: { $0 < Self.full }) { return number }
        if pools.count < most, addPool() { return pools.count - 1 }
        return sizes.indices.min { sizes[$0] < sizes[$1] } ?? 0
    }

    private func addPool() -> Bool {
        let number = pools.count
        guard let pool = CurlMulti(limits, idle: idle, watch: { [unowned self] in watch($0, $1, by: number) }) else {
            return false
        }
        pools.append(pool)
        sizes.append(0)
        return true
    }

    /// Waits until something happens, and no longer than to `due`, and lets libcurl see to it.
    func wait(until due: UInt64, onBell: () -> Void) {
        let due = pools.reduce(due) { min($0, $1.timerDue) }
        let count = rx_loop_wait(loop, &descriptors, &happened, Self.milliseconds(until: due))
        for index in 0..<max(0, Int(count)) {
            let descriptor = descriptors[index]
            if descriptor == bell.descriptor {
                onBell()
            } else if owners.indices.contains(Int(descriptor)) {
                owners[Int(descriptor)]?.act(descriptor, happened[index])
            }
        }
        let now = MonotonicClock.now
        for pool in pools where pool.timerDue <= now { pool.actOnTime() }
    }

    /// Tells of the transfers that have ended, each once.
    func forEachEnded(_ body: (UnsafeMutableRawPointer, CURLcode) -> Void) {
        for pool in pools {
            while let (handle, code) = pool.nextEnded() { body(handle, code) }
        }
    }

    private func watch(_ socket: curl_socket_t, _ what: Int32, by number: Int) {
        if what == CURL_POLL_REMOVE {
            _ = rx_loop_forget(loop, socket)
        } else {
            // The resolver's: those of connections are withheld when they are made.
            InheritableSockets.withhold(socket)
            while owners.count <= socket { owners.append(nil) }
            owners[Int(socket)] = pools[number]
            // One that cannot be watched never has news, and its transfer ends when its time is over.
            _ = rx_loop_watch(loop, socket, what)
        }
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

extension HTTPRequest {
    /// What tells its server from others: the unix socket, or the scheme, the host and the port.
    fileprivate var server: Substring {
        if let socket = route.socket { return socket[...] }
        guard let scheme = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return url[...] }
        let rest = url.utf8[scheme...].dropFirst("://".utf8.count)
        return url[..<(rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? url.endIndex)]
    }
}
