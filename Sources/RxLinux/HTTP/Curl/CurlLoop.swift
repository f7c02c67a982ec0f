import CCurl
import RxEngine

// Unchecked: the mailbox is behind the lock; everything else belongs to the loop's thread.
/// The thread that all transfers of a client run on, and what they share: connections, addresses, TLS sessions.
///
/// Others leave letters for it and ring its bell. It ends when it is told to stop.
final class CurlLoop: @unchecked Sendable {
    private enum Letter {
        case start(Transfer)
        case cancel(Transfer)
        case stop
    }

    private let lock = Lock()
    private var letters: [Letter] = []
    private let bell: Bell

    private let userAgent: String
    private let concurrency: Int
    private let sockets: CurlSockets
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var handles: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]
    private var waiting: ArraySlice<Transfer> = []
    private var certificates = LastCertificates()
    /// No first byte is due before.
    private var firstByteDue = UInt64.max
    private var isStopped = false

    /// A loop whose thread runs.
    static func started(_ limits: HTTPClient.Limits, userAgent: String) throws(SystemError) -> CurlLoop {
        let bell = try Bell()
        let loop = CurlLoop(limits, userAgent, bell, try CurlSockets(limits, bell: bell))
        try LoopThread.start("rx-http") { loop.run() }
        return loop
    }

    private init(_ limits: HTTPClient.Limits, _ userAgent: String, _ bell: Bell, _ sockets: CurlSockets) {
        concurrency = max(1, limits.concurrency)
        self.userAgent = userAgent
        self.bell = bell
        self.sockets = sockets
    }

    /// Starts a transfer, or lets it wait for its turn.
    func start(_ transfer: Transfer) {
        post(.start(transfer))
    }

    /// Gives up a transfer that was started.
    func cancel(_ transfer: Transfer) {
        post(.cancel(transfer))
    }

    /// Ends the thread and everything that is under way.
    func stop() {
        post(.stop)
    }

    private func post(_ letter: Letter) {
        let isFirst = lock.locked {
            letters.append(letter)
            return letters.count == 1
        }
        if isFirst { bell.ring() }
    }

    // MARK: - On the loop's thread

    private func run() {
        while !isStopped {
            let due = min(sockets.timerDue, firstByteDue)
            sockets.wait(until: due) { [self] in answerBell() }
            collect()
            giveUpTheLate()
            startWaiting()
        }
        for handle in active.keys { remove(handle) }
        sockets.close()
    }

    private func answerBell() {
        bell.silence()
        let letters = lock.locked {
            defer { self.letters = [] }
            return self.letters
        }
        for letter in letters {
            switch letter {
            case .start(let transfer): waiting.append(transfer)
            case .cancel(let transfer):
                // One that still waits is passed over when its turn comes.
                if let handle = handles[ObjectIdentifier(transfer)] { remove(handle) }
            case .stop: isStopped = true
            }
        }
    }

    private func startWaiting() {
        while active.count < concurrency, let transfer = waiting.popFirst() {
            if !transfer.isOver { begin(transfer) }
        }
        if waiting.isEmpty { waiting = [] }
    }

    private func begin(_ transfer: Transfer) {
        transfer.started = MonotonicClock.now
        guard let handle = curl_easy_init() else {
            return transfer.complete(.failure(HTTPError(.resources, "there is no memory for a transfer")))
        }
        if let refusal = transfer.configure(handle, userAgent: userAgent) {
            curl_easy_cleanup(handle)
            return transfer.complete(.failure(HTTPError(.request, refusal)))
        }
        if let allowed = transfer.prepared.request.limits.firstByte {
            let due = transfer.started + UInt64(clamping: allowed.nanoseconds)
            transfer.firstByteDue = due
            firstByteDue = min(firstByteDue, due)
        }
        active[handle] = transfer
        handles[ObjectIdentifier(transfer)] = handle
        sockets.add(handle)
    }

    /// Tells the outcome of what has ended.
    private func collect() {
        while let (handle, code) = sockets.nextEnded() { end(handle, code) }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let transfer = active[handle] else { return }
        let result = certificates.complete(transfer.result(handle, code), of: transfer.prepared.request)
        remove(handle)
        transfer.complete(result)
    }

    private func remove(_ handle: UnsafeMutableRawPointer) {
        sockets.remove(handle)
        curl_easy_cleanup(handle)
        guard let transfer = active.removeValue(forKey: handle) else { return }
        handles[ObjectIdentifier(transfer)] = nil
        transfer.lists = []
    }

    private func giveUpTheLate() {
        guard firstByteDue != .max else { return }
        let now = MonotonicClock.now
        guard firstByteDue <= now else { return }
        firstByteDue = .max
        for (handle, transfer) in active {
            guard let due = transfer.firstByteDue, !transfer.assembly.hasBegun else { continue }
            if due <= now {
                transfer.isLateWithFirstByte = true
                end(handle, CURLE_OPERATION_TIMEDOUT)
            } else {
                firstByteDue = min(firstByteDue, due)
            }
        }
    }
}
