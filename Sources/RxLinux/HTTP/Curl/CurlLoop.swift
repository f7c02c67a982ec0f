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
    /// Handles that are free again: making one takes as long as setting it up.
    private var spare: [UnsafeMutableRawPointer] = []
    private static let mostSpare = 16
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
            sockets.wait(until: firstByteDue) { [self] in answerBell() }
            collect()
            giveUpTheLate()
            startWaiting()
        }
        for handle in active.keys { remove(handle) }
        for handle in spare { curl_easy_cleanup(handle) }
        spare = []
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
        guard let handle = spare.popLast() ?? curl_easy_init() else {
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
        let multi = sockets.multi(for: transfer.prepared.request)
        transfer.multi = multi
        multi.add(handle, at: transfer.started)
    }

    /// Tells the outcome of what has ended.
    private func collect() {
        sockets.forEachEnded { end($0, $1) }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        guard let transfer = active[handle] else { return }
        let result = certificates.complete(transfer.result(handle, code), of: transfer.prepared.request)
        remove(handle, isSound: code == CURLE_OK)
        transfer.complete(result)
    }

    /// - Parameter isSound: whether the transfer has come to a good end, so that nothing of it is left.
    private func remove(_ handle: UnsafeMutableRawPointer, isSound: Bool = false) {
        let transfer = active.removeValue(forKey: handle)
        transfer?.multi?.remove(handle)
        transfer?.multi = nil
        if isSound, spare.count < Self.mostSpare {
            curl_easy_reset(handle)
            spare.append(handle)
        } else {
            curl_easy_cleanup(handle)
        }
        guard let transfer else { return }
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
