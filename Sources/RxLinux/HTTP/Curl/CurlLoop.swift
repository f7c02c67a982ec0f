import CCurl
import RxEngine

// Unchecked: the mailbox is under the lock; only the loop's thread uses everything else.
/// The thread that runs all transfers of a client, and their shared state: connections, addresses, TLS sessions.
///
/// Other threads put messages into its mailbox and wake it up. It ends at the message `stop`.
///
///     start -> looking up -> queued -> running -> ended
///                  ^                      |
///                  '------ redirect ------'
final class CurlLoop: @unchecked Sendable {
    /// A request from another thread to the loop.
    private enum Message {
        case start(Transfer)
        case cancel(Transfer)
        case lookedUp(Transfer, NameResolver.Outcome)
        case stop
    }

    private let lock = Lock()
    private var mailbox: [Message] = []
    private let wakeUp: WakeUpDescriptor

    private let userAgent: String
    private let limits: HTTPClient.Limits
    private let sockets: CurlSockets
    private let resolver: NameResolver
    private let received: MemoryQuota
    /// All transfers that have not ended.
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    /// The waiting transfers by server, so that a server that hangs does not block the others.
    private var queue: FairQueue<Substring, Transfer>
    /// Handles to reuse: creating one takes as long as configuring it.
    private var idleHandles: [UnsafeMutableRawPointer] = []
    private static let maximumIdleHandles = 16
    private var certificates = LastCertificates()
    /// The earliest time at which a transfer may hang or time out.
    private var nextDeadline = UInt64.max
    private var isStopped = false

    /// Creates a loop and starts its thread.
    static func started(
        _ limits: HTTPClient.Limits, userAgent: String, _ resolver: NameResolver
    ) throws(SystemError) -> CurlLoop {
        let wakeUp = try WakeUpDescriptor()
        let loop = CurlLoop(limits, userAgent, wakeUp, try CurlSockets(limits, wakeUp: wakeUp), resolver)
        try LoopThread.start("rx-http") { loop.run() }
        return loop
    }

    private init(
        _ limits: HTTPClient.Limits, _ userAgent: String, _ wakeUp: WakeUpDescriptor, _ sockets: CurlSockets,
        _ resolver: NameResolver
    ) {
        self.limits = limits
        self.userAgent = userAgent
        self.wakeUp = wakeUp
        self.sockets = sockets
        self.resolver = resolver
        received = MemoryQuota(limit: limits.received)
        let maximum = max(1, min(limits.concurrency, CurlSockets.quarterOfDescriptorLimit()))
        queue = FairQueue(
            limit: maximum, hardLimit: 2 * maximum, limitPerKey: limits.concurrencyPerServer,
            limitOfSlowKeys: maximum / 2)
    }

    /// Starts or queues a transfer.
    func start(_ transfer: Transfer) {
        post(.start(transfer))
    }

    /// Cancels a transfer that was started.
    func cancel(_ transfer: Transfer) {
        post(.cancel(transfer))
    }

    /// Ends the thread and all transfers.
    func stop() {
        post(.stop)
    }

    private func post(_ message: Message) {
        let isFirst = lock.locked {
            mailbox.append(message)
            return mailbox.count == 1
        }
        if isFirst { wakeUp.signal() }
    }

    // MARK: - On the loop's thread

    private func run() {
        while !isStopped {
            sockets.wait(until: nextDeadline) { [self] in readMailbox() }
            sockets.forEachEnded { handle, code in
                if let transfer = active[handle] { end(transfer, code) }
            }
            endTimedOut()
            beginQueued()
        }
        for handle in active.keys { release(handle) }
        for handle in idleHandles { curl_easy_cleanup(handle) }
        (idleHandles, transfers) = ([], [:])
        sockets.close()
    }

    private func readMailbox() {
        wakeUp.reset()
        let mailbox = lock.locked {
            defer { self.mailbox = [] }
            return self.mailbox
        }
        for message in mailbox {
            switch message {
            case .start(let transfer):
                if transfer.isFinished { continue }
                transfers[ObjectIdentifier(transfer)] = transfer
                lookUp(transfer)
            case .cancel(let transfer): remove(transfer, nil)
            case .lookedUp(let transfer, let outcome): receive(outcome, for: transfer)
            case .stop: isStopped = true
            }
        }
    }

    // MARK: Addresses

    /// Looks up all names that the transfer needs, and continues when all are known.
    private func lookUp(_ transfer: Transfer) {
        transfer.beginLookup()
        lookUpNextName(transfer)
    }

    private func lookUpNextName(_ transfer: Transfer) {
        while let name = transfer.nextName {
            let known = resolver.addresses(of: name.host) { [weak transfer] in
                transfer?.isFinished == false
            } _: { [weak self, weak transfer] outcome in
                if let transfer { self?.post(.lookedUp(transfer, outcome)) }
            }
            guard let known else { return wakeUpForDeadline(transfer) }
            transfer.addAddresses(known)
        }
        transfer.endLookup()
        // A redirected transfer keeps the slot that it has.
        if transfer.slot != nil { return begin(transfer) }
        transfer.phase = .queued
        wakeUpForDeadline(transfer)
        queue.add(transfer, for: transfer.server)
    }

    private func receive(_ outcome: NameResolver.Outcome, for transfer: Transfer) {
        guard transfers[ObjectIdentifier(transfer)] === transfer, transfer.phase == .lookingUp else { return }
        switch outcome {
        case .success(let addresses):
            transfer.addAddresses(addresses)
            lookUpNextName(transfer)
        case .failure(let failure): finish(transfer, .failure(transfer.error(failure)))
        }
    }

    // MARK: Running

    private func beginQueued() {
        while let (transfer, slot) = queue.next() {
            // Skip a transfer that was cancelled meanwhile: the message about that must find it without a slot.
            if transfer.isFinished || transfer.phase != .queued {
                queue.ended(slot, hung: nil)
            } else {
                transfer.hold(slot)
                begin(transfer)
            }
        }
    }

    private func begin(_ transfer: Transfer) {
        transfer.begin()
        guard let handle = idleHandles.popLast() ?? curl_easy_init() else {
            return finish(transfer, .failure(HTTPError(.resources, "out of memory for a transfer")))
        }
        if let refusal = transfer.configure(handle, userAgent: userAgent, limits, received) {
            curl_easy_cleanup(handle)
            return finish(transfer, .failure(HTTPError(.request, refusal)))
        }
        wakeUpForDeadline(transfer)
        active[handle] = transfer
        transfer.handle = handle
        let multi = sockets.multi(for: transfer.prepared.request, at: transfer.hop.url)
        transfer.multi = multi
        multi.add(handle, at: MonotonicClock.now)
    }

    private func end(_ transfer: Transfer, _ code: CURLcode) {
        guard let handle = transfer.handle else { return }
        let request = transfer.prepared.request
        let result = certificates.complete(transfer.result(handle, code), of: request)
        release(handle, isReusable: code == CURLE_OK)
        guard case .success(let response) = result,
            let next = transfer.hop.next(response, maximum: request.limits.redirects)
        else { return finish(transfer, result) }
        switch next {
        case .success(let hop):
            transfer.follow(hop, after: response.timing)
            lookUp(transfer)
        case .failure(let error):
            finish(transfer, .failure(error.of(request, response)))
        }
    }

    // MARK: Ending

    private func finish(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPError>) {
        remove(transfer, result)
        if case .failure = result { transfer.memory = nil }
        transfer.complete(result)
    }

    private func remove(_ transfer: Transfer, _ result: Result<HTTPResponse, HTTPError>?) {
        guard transfers.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
        if let handle = transfer.handle { release(handle) }
        if let slot = transfer.slot { queue.ended(slot, hung: transfer.hasHung(result, hangs: queue.isHanging(slot))) }
    }

    /// Removes a transfer from its pool, and keeps its handle for others if it `isReusable`: a completed transfer
    /// leaves no trace in it.
    private func release(_ handle: UnsafeMutableRawPointer, isReusable: Bool = false) {
        let transfer = active.removeValue(forKey: handle)
        transfer?.multi?.remove(handle)
        transfer?.multi = nil
        transfer?.handle = nil
        if isReusable, idleHandles.count < Self.maximumIdleHandles {
            curl_easy_reset(handle)
            idleHandles.append(handle)
        } else {
            curl_easy_cleanup(handle)
        }
        transfer?.lists = []
    }

    /// Wakes the loop up when the transfer hangs, and when it times out.
    private func wakeUpForDeadline(_ transfer: Transfer) {
        let hangs = transfer.slot.map { queue.isHanging($0) } ?? true
        nextDeadline = min(nextDeadline, transfer.deadline, hangs ? .max : transfer.hangTime)
    }

    private func endTimedOut() {
        guard nextDeadline != .max else { return }
        let now = MonotonicClock.now
        guard nextDeadline <= now else { return }
        nextDeadline = .max
        for transfer in Array(transfers.values) {
            if let slot = transfer.slot, transfer.hangTime <= now { _ = queue.hangs(slot) }
            if transfer.deadline > now {
                wakeUpForDeadline(transfer)
            } else if transfer.phase == .running {
                transfer.abort = transfer.abort ?? .timedOut
                end(transfer, CURLE_OPERATION_TIMEDOUT)
            } else {
                finish(transfer, .failure(transfer.timeoutError))
            }
        }
    }
}
