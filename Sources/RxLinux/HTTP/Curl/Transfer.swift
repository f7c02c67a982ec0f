import CCurl
import CLinux
import Glibc
import RxEngine

// Unchecked: the completion is under the lock; only the loop's thread uses everything else once it is submitted.
/// A request that is being executed.
final class Transfer: @unchecked Sendable {
    /// Takes the result, once. The memory of a response counts until the reservation is released.
    typealias Completion =
        @Sendable (
            _ result: Result<HTTPResponse, HTTPError>, _ memory: MemoryQuota.Reservation?
        ) -> Void

    /// How far a transfer has got before its response.
    enum Phase {
        case lookingUp
        case queued
        case running
    }

    /// The reasons for which the client ends a transfer itself.
    enum Abort {
        /// The transfer did not end, or had no first byte, in time.
        case timedOut
        /// There was no memory for the response.
        case outOfMemory
    }

    /// The request.
    let prepared: PreparedRequest
    /// The server of the first hop, whose slot the transfer uses.
    let server: Substring
    /// When the transfer was submitted.
    let submitted = MonotonicClock.now
    /// The current phase.
    var phase = Phase.lookingUp
    /// The slot among the concurrent transfers; `nil` if the transfer has none.
    private(set) var slot: QueueSlot<Substring>?
    /// When the transfer got its slot.
    private var slotStart: UInt64 = 0
    /// The current hop: the request, or the redirect that is being followed.
    private(set) var hop: HTTPHop
    /// When the current phase began.
    private(set) var phaseStart: UInt64 = 0
    /// The names of the hop that are still to be looked up.
    private var names: ArraySlice<NameToResolve> = []
    /// The addresses that were found, in libcurl's format.
    private(set) var addresses: [String] = []
    /// How long the lookup took.
    private(set) var lookup = Duration.zero
    /// How long the transfer was queued.
    private(set) var waited = Duration.zero
    /// The timing of the hops before.
    private(set) var earlierTiming = HTTPTiming()
    /// Why the client has ended it before its response was complete; `nil` if it has not.
    var abort: Abort?
    /// The response so far.
    var assembly: ResponseAssembly
    /// The error number of opening a socket.
    var openError: Int32 = 0
    /// The error number of connecting.
    var systemError: Int32 = 0
    /// Whether the transfer ever had a connection.
    var connected = false
    /// The easy handle and the pool of the transfer while it runs.
    var handle: UnsafeMutableRawPointer?
    var multi: CurlMulti?
    /// The lists that libcurl uses while it runs.
    var lists: [CurlList] = []
    private var leavesDescriptors = false
    /// The memory of the response, until it is given up or the caller has it.
    var memory: MemoryQuota.Reservation?

    /// How long a transfer may have its slot until it counts as hanging. It is not cancelled then.
    private static let hangsAfter = Duration.seconds(2)

    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private let lock = Lock()
    private var completion: Completion?

    init(_ prepared: PreparedRequest, _ completion: @escaping Completion) {
        self.prepared = prepared
        self.completion = completion
        server = prepared.request.server(at: prepared.request.url)
        hop = HTTPHop(prepared.request)
        assembly = Self.assembly(of: prepared.request)
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        errorBuffer.deallocate()
    }

    private static func assembly(of request: HTTPRequest) -> ResponseAssembly {
        ResponseAssembly(
            headerLimit: request.limits.header, bodyLimit: request.limits.body, keepsBody: request.needsBody)
    }

    /// Whether the transfer has completed or was abandoned.
    var isFinished: Bool {
        lock.locked { completion == nil }
    }

    /// Drops the completion.
    ///
    /// - Returns: whether it had not been called.
    func abandon() -> Bool {
        lock.locked { completion.take() } != nil
    }

    /// Calls the completion, unless it was abandoned.
    func complete(_ result: Result<HTTPResponse, HTTPError>) {
        lock.locked { completion.take() }?(result, memory.take())
    }

    // MARK: - Phases

    /// When the transfer times out. The total time counts from the submission.
    var deadline: UInt64 {
        let limits = prepared.request.limits
        let end = submitted.after(limits.total)
        switch phase {
        case .lookingUp: return min(end, phaseStart.after(limits.connect))
        case .queued, .running: return end
        }
    }

    /// The time at which it hangs, if it has a slot.
    var hangTime: UInt64 {
        let limits = prepared.request.limits
        let shortest = min(limits.total, limits.connect)
        return slotStart.after(min(Self.hangsAfter, shortest / 2))
    }

    func hold(_ slot: QueueSlot<Substring>) {
        self.slot = slot
        slotStart = MonotonicClock.now
    }

    /// Whether its server hung, as far as `result` shows it; `nil` for no result.
    ///
    /// A timeout soon after the transfer got its slot says nothing about the server: most of the time has passed in the
    /// queue.
    ///
    /// - Parameters:
    ///   - result: the result.
    ///   - hangs: whether it has had its slot for too long.
    func hasHung(_ result: Result<HTTPResponse, HTTPError>?, hangs: Bool) -> Bool? {
        switch result {
        case .success: false
        case .failure(let error): hangs ? true : error.code == .timeout ? nil : false
        case nil: hangs ? true : nil
        }
    }

    func beginLookup() {
        phase = .lookingUp
        phaseStart = MonotonicClock.now
        names = NameToResolve.all(for: prepared.request, at: hop.url)[...]
        addresses = []
    }

    /// The next name to look up.
    var nextName: NameToResolve? { names.first }

    /// Adds the addresses of the next name.
    func addAddresses(_ found: [String]) {
        if let name = names.popFirst() { addresses.append(name.entry(found)) }
    }

    func endLookup() {
        lookup = addresses.isEmpty ? .zero : phaseStart.span(to: MonotonicClock.now)
        phaseStart = MonotonicClock.now
    }

    func begin() {
        if phase == .queued { waited = phaseStart.span(to: MonotonicClock.now) }
        phase = .running
        phaseStart = MonotonicClock.now
    }

    func follow(_ next: HTTPHop, after timing: HTTPTiming) {
        hop = next
        earlierTiming = timing
        errorBuffer[0] = 0
        // Limits count for each response.
        assembly = Self.assembly(of: prepared.request)
    }

    /// The timing of a transfer that has no connection.
    var timingSoFar: HTTPTiming {
        let spent = phaseStart.span(to: MonotonicClock.now)
        let lookup = phase == .lookingUp ? spent : lookup
        return HTTPTiming(
            waited: phase == .queued ? spent : waited, dns: earlierTiming.dns + lookup, connect: earlierTiming.connect,
            tls: earlierTiming.tls, total: earlierTiming.total + lookup)
    }

    /// libcurl's message about the error.
    var errorText: String { String(cString: errorBuffer) }

    // MARK: - libcurl

    /// Configures `handle` to send this request and to pass the response to this transfer.
    ///
    /// - Returns: why libcurl refuses it, in words; `nil` on success.
    func configure(
        _ handle: UnsafeMutableRawPointer, userAgent: String, _ limits: HTTPClient.Limits, _ received: MemoryQuota
    ) -> String? {
        var options = CurlOptions(handle)
        memory = received.reservation()
        leavesDescriptors = limits.leavesDescriptors
        lists = options.set(prepared, hop, userAgent: userAgent)
        options.set(CURLOPT_CONNECTTIMEOUT_MS, max(.zero, prepared.request.limits.connect - lookup))
        options.set(CURLOPT_MAXLIFETIME_CONN, max(1, Int(clamping: limits.connectionLife.components.seconds)))
        if !addresses.isEmpty {
            let list = CurlList()
            for address in addresses { list.append(address) }
            options.set(CURLOPT_RESOLVE, list)
            lists.append(list)
        }
        let context = Unmanaged.passUnretained(self).toOpaque()
        options.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorBuffer))
        options.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.receive(bytes, size * count, context) { $0.receiveLine($1) }
        }
        options.set(CURLOPT_HEADERDATA, context)
        options.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.receive(bytes, size * count, context) { $0.receivePiece($1) }
        }
        options.set(CURLOPT_WRITEDATA, context)
        options.setOpenSocket { context, _, address in Transfer.openSocket(context, address) }
        options.set(CURLOPT_OPENSOCKETDATA, context)
        return options.refusal
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        assembly.receiveLine(line) && hasMemory(for: line.count + HTTPHeaders.Field.overhead)
    }

    private func receivePiece(_ piece: UnsafeRawBufferPointer) -> Bool {
        assembly.receivePiece(piece) && (!prepared.request.needsBody || hasMemory(for: piece.count))
    }

    private func hasMemory(for byteCount: Int) -> Bool {
        if memory?.addInput(byteCount) == false { abort = .outOfMemory }
        return abort == nil
    }

    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ body: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // A number other than `count` ends the transfer; `count` may be 0.
        return body(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : count + 1
    }

    /// Opens a socket like libcurl, but with close-on-exec.
    private static func openSocket(
        _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<curl_sockaddr>?
    ) -> curl_socket_t {
        guard let context, let address = address?.pointee else { return rx_curl_no_socket }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let type = address.socktype | rx_socket_cloexec
        let descriptor = socket(address.family, type, address.protocol)
        let isKept =
            descriptor >= 0 && DescriptorReserve.allows(descriptor, leavingQuarter: transfer.leavesDescriptors)
        if isKept { return descriptor }
        transfer.openError = descriptor < 0 ? errno : EMFILE
        close(descriptor)
        return rx_curl_no_socket
    }
}

/// The loop's clock, in nanoseconds.
enum MonotonicClock {
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension UInt64 {
    /// The time `span` after this one.
    fileprivate func after(_ span: Duration) -> UInt64 {
        let (sum, isTooMuch) = addingReportingOverflow(UInt64(clamping: span.nanoseconds))
        return isTooMuch ? .max : sum
    }

    /// The duration from this time to `end`, at least zero.
    fileprivate func span(to end: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: end > self ? end - self : 0))
    }
}
