import Dispatch
import Glibc
import RxControl
import RxEngine
import RxLinux
import RxPipelines
import Synchronization

/// Answers the requests of rxwatchctl at the control socket.
struct Control: Sendable {
    /// Requests a reload, and calls the closure with the answer when the reload is over.
    let reload: @Sendable (@escaping CommandQueue.Reply) -> Void
    /// Calls the closure with what a reload would do.
    let plan: @Sendable (@escaping CommandQueue.Reply) -> Void
    /// Returns the status of the daemon, in lines of so many columns, or of the node with this name.
    let status: @Sendable (_ node: String?, _ columns: Int?) -> ControlAnswer
    let graph: @Sendable () -> ControlAnswer
    /// Returns the numbers of live objects, in lines of so many columns.
    let resources: @Sendable (_ columns: Int?) -> ControlAnswer
    /// Makes a source emit or poll at once, and calls the closure with its next event, or after `timeout` seconds.
    let fire: @Sendable (_ node: String, _ timeout: Double, @escaping CommandQueue.Reply) -> WaitingRequests.Cancel
    /// Lists, shows, retries or drops the events that wait for sinks, and calls the closure with the answer.
    let spool: @Sendable (SpoolRequest, @escaping CommandQueue.Reply) -> Void
    /// Calls the closure when everything that happened before is settled, or after so many seconds.
    let sync: @Sendable (_ timeout: Double, @escaping CommandQueue.Reply) -> WaitingRequests.Cancel
    /// Begins to send what nodes do, or returns why not.
    let tap: @Sendable (_ nodes: [String], _ lifecycle: Bool, LocalRequest) -> ControlAnswer?

    /// The requests that wait for events.
    private let waiting = WaitingRequests()
    /// The queue of answers that may take time, so that no client delays the reload of another.
    private let slowAnswers = DispatchQueue(label: "rx.control-answers")

    /// Longer than a reload may take, which asks the service manager for more time while sources are being armed.
    private static let limits = {
        var limits = LocalServer.Limits()
        limits.answerTimeout = ControlRequest.longestReload + .seconds(10)
        return limits
    }()

    /// The path of the socket in the first directory of `RUNTIME_DIRECTORY`; `nil` if the service manager has set none.
    private static var pathOfService: String? {
        getenv("RUNTIME_DIRECTORY").map { "\(String(cString: $0).prefix { $0 != ":" })/control" }
    }

    /// Answers requests until disposed. If the socket cannot be created, the daemon runs without it, and retries.
    func listen(_ recorder: Recorder) -> any Disposable {
        let pathOfService = Self.pathOfService
        guard let path = pathOfService ?? ControlSocket.ofProcess(getpid()) else {
            recorder.record(
                .lifecycle, .notice,
                "no control socket: rxwatchctl cannot connect to this daemon, since XDG_RUNTIME_DIR is not set; set it to "
                    + "a directory of yours, and start the daemon again")
            return Disposables.create()
        }
        if pathOfService == nil { ControlSocket.ofEndedProcesses.forEach(LocalServer.removeUnanswered) }
        let group = pathOfService != nil ? Self.administratorsGroup : nil
        let isMissing = Atomic(false)
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.control-retry")
        return LocalServer.requests(
            at: path, mode: group == nil ? 0o600 : 0o660, limits: Self.limits, on: DispatchQueue(label: "rx.control"),
            refusal: { Self.refusal(of: $0, unlessIn: group) },
            whenListening: {
                let wasMissing = isMissing.exchange(false, ordering: .relaxed)
                if pathOfService == nil { Self.recordOthers(besides: path, recorder) }
                // The path of a daemon that was started by hand is not always the same.
                guard wasMissing || pathOfService == nil else { return }
                recorder.record(
                    .lifecycle, wasMissing ? .notice : .info,
                    "listening at \(path): rxwatchctl can connect to this daemon")
            }
        )
        .do(onError: { error in
            guard !isMissing.exchange(true, ordering: .relaxed) else { return }
            recorder.record(
                .error, .err,
                "\(error.withoutCheckpoints); rxwatchctl cannot connect to this daemon; retrying each second")
        })
        .retry(.delayed(.seconds(1)), scheduler: scheduler)
        .subscribe(onNext: { answer($0) })
    }

    /// Records which other daemons run: each reacts to the events of its configuration, so that two react twice.
    private static func recordOthers(besides path: String, _ recorder: Recorder) {
        let others = ([ControlSocket.ofService] + ControlSocket.ofProcesses).filter {
            $0 != path && LocalServer.isAnswered(at: $0)
        }
        guard !others.isEmpty else { return }
        recorder.record(
            .lifecycle, .notice,
            "another rxwatchd is running (\(others.joined(separator: ", "))): what both configurations react to is done twice"
        )
    }

    /// The number of the group rxwatchd if this process belongs to it; `nil` if it does not: the members of another group,
    /// such as one that all users share, were not given access to the daemon.
    private static var administratorsGroup: gid_t? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 1 << 18)
        guard getgrgid_r(getegid(), &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.gr_name) == "rxwatchd" ? getegid() : nil
    }

    /// The answer to a peer that is neither root nor the daemon's user nor in this group; `nil` for these. The permissions
    /// of the socket keep all others out, unless somebody has changed them.
    private static func refusal(of peer: LocalRequest.Peer, unlessIn group: gid_t?) -> [UInt8]? {
        if [0, geteuid()].contains(peer.user) { return nil }
        if let group, peer.group == group || peer.groups.contains(group) { return nil }
        let hint = ControlSocket.rightHint(isOfService: group != nil)
        return ControlAnswer("permission denied to use the control socket: \(hint)", exitCode: ExitCode.failure).bytes
    }

    private func answer(_ request: LocalRequest) {
        @Sendable func reply(_ answer: ControlAnswer) { request.answer(answer.bytes) }
        do {
            switch try ControlRequest(line: request.text) {
            case .reload: reload(reply)
            case .plan: plan(reply)
            case .status(let node, let columns): slowAnswers.async { reply(status(node, columns)) }
            case .graph: slowAnswers.async { reply(graph()) }
            case .resources(let columns): slowAnswers.async { reply(resources(columns)) }
            case .fire(let node, let timeout): waiting.add(request) { fire(node, timeout, $0) }
            case .spool(let request): spool(request, reply)
            case .sync(let timeout): waiting.add(request) { sync(timeout, $0) }
            case .tap(let nodes, let lifecycle):
                if let refusal = tap(nodes, lifecycle, request) { reply(refusal) }
            }
        } catch {
            reply(ControlAnswer(error.message, exitCode: ExitCode.failure))
        }
    }
}
