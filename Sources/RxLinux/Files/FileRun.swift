import Glibc
import RxEngine
import Synchronization

// Unchecked: used only on the queue of its core, except the core and the flag, which are locked and atomic.
/// One subscription to a request.
final class FileRun: @unchecked Sendable {
    /// The core that the run is on. It changes on the queue of the core before.
    private let currentCore: Locked<FileWatcherCore>
    /// Returns the core that the request needs by now. Called on the queue of the core that the run is on.
    let neededCore: (FileWatcherCore) -> FileWatcherCore
    /// The state of the run in the previous process, that another core has left.
    var left: FileHandoverState.RunState?
    let request: FileRequest
    let observer: AnyObserver<FileReading>
    let onNotice: @Sendable (FileNotice) -> Void
    let position: FilePosition?
    /// The emitted changes, for a subscriber that stores its position; otherwise `nil`.
    var log: FileLog?
    var progress = Progress.resuming
    let isStopped = Atomic(false)
    var roots: [Int32] = []
    var settleTimer: QuietPeriodTimer?
    /// Bounds the changes that the subscriber has not processed.
    var window: FileWindow?
    let limit: Int
    /// Whether ``FileReading/suspended(_:)`` was emitted.
    var isSuspended = false
    var acknowledgeAlarm: OneShotTimer
    /// The run that this one replaces. This run emits the changes since its own start.
    weak var replaced: FileRun?
    /// Whether another run emits the changes in place of this one, which keeps them in case the other run ends first.
    var isReplaced = false
    /// The roots that were taken over from the replaced run.
    var inherited: [Int32] = []
    /// The number of the last change of the replaced run that was emitted again.
    var repeated: UInt64 = 0
    /// The barriers that were passed and are not emitted.
    var barriers: [WaitingBarrier] = []
    /// The changes since this run was replaced.
    var withheld: [FileChange] = []

    /// The progress of the start, in order.
    enum Progress {
        /// The state of the previous process has not been compared with the files.
        case resuming
        /// Changes from before the start may be pending.
        case catchingUp
        /// ``FileReading/caughtUp`` was emitted, unless the subscriber stores no position.
        case caughtUp
    }

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - core: the core to start on, which moves the run if it needs another one.
    ///   - neededCore: returns the core that the request needs, according to what is mounted.
    ///   - request: the request, with absolute paths.
    ///   - observer: the subscriber, which is called on the watcher's queue.
    ///   - position: the position that the subscriber has stored.
    ///   - isLogged: whether the subscriber stores its position.
    ///   - limit: the most changes that the subscriber has not processed.
    ///   - onNotice: called with notices, on the watcher's queue.
    init(
        on core: FileWatcherCore, _ neededCore: @escaping (FileWatcherCore) -> FileWatcherCore, _ request: FileRequest,
        _ observer: AnyObserver<FileReading>, after position: FilePosition?, isLogged: Bool, limit: Int,
        onNotice: @escaping @Sendable (FileNotice) -> Void
    ) {
        self.onNotice = onNotice
        self.limit = limit
        self.neededCore = neededCore
        acknowledgeAlarm = OneShotTimer(on: core.queue)
        currentCore = Locked(core)
        self.position = position
        log = isLogged ? FileLog() : nil
        self.request = request
        self.observer = observer
    }

    /// The core that the run is on.
    var core: FileWatcherCore { currentCore.withLock { $0 } }

    /// Moves to the core that the request needs by now. The caller moves the state.
    ///
    /// - Returns: whether that is another core.
    func changeCore() -> Bool {
        let needed = neededCore(core)
        return currentCore.withLock { core in
            defer { core = needed }
            return core !== needed
        }
    }

    /// Calls `body` on the queue of the core, also if the run moves to another core meanwhile.
    func perform(_ body: @escaping @Sendable () -> Void) {
        let core = core
        core.queue.async { [self] in self.core === core ? body() : perform(body) }
    }

    func start() {
        let moved = left.take()?.move(to: core)
        guard !isStopped.load(ordering: .acquiring) else {
            // Another run may take it over.
            if core.handoverState.isResuming, let moved { core.handoverState.previousRuns.append(moved) }
            return
        }
        startSettling()
        if log != nil {
            window = FileWindow(limit: limit) { [weak self] in self?.perform { [weak self] in self?.compareSkipped() } }
        }
        let receive: (FileChange) -> Void = { [weak self] in self?.receive($0) }
        do throws(SystemError) {
            try core.begin(self)
            let before = moved ?? core.takeOver(request, position?.log)
            resumeLog(before?.log)
            if let before {
                let known = request.paths.map { path in
                    (path, before.roots.first { $0.isWatched(as: request, at: path) })
                }
                for root in known.compactMap(\.1) { root.adopt(request) }
                roots = known.compactMap(\.1?.number)
                for change in before.pending where known.contains(where: { $0.1?.wants(change.path) == true }) {
                    self.receive(change)
                }
                if moved != nil {
                    for root in known.compactMap(\.1) { core.join(root, receive) }
                    core.saveMovedRun()
                }
                resume(known.compactMap(\.1), receive)
                for (path, root) in known where root == nil { add(path, receive) }
                core.removeAll(of: before.roots.map(\.number), but: roots)
                // The previous run may have skipped changes.
                compareSkipped()
            } else if let position, let other = core.run(at: position) {
                replace(other, after: position, receive)
            } else {
                add(request.paths[...], receive)
            }
        } catch {
            observer.onError(error)
        }
    }

    /// Creates the timer of changes that settle, if the request has one.
    func startSettling() {
        guard request.settle > .zero else { return }
        settleTimer = QuietPeriodTimer(
            request.settle, on: core.queue, willEmit: { [weak self] in self?.core.beginMoment() }
        ) {
            // Filter by kind only now: several changes combine to one of another kind.
            [weak self] in if self?.request.kinds.contains($0.kind) == true { self?.emit($0) }
        }
        settleTimer?.whenEmitted = { [weak self] in
            self?.compareSkipped()
            self?.catchUp()
            self?.passBarriers()
        }
    }

    /// Adds paths one after the other, the rest on another core if the run is moved there meanwhile.
    private func add(_ paths: ArraySlice<BytePath>, _ receive: @escaping (FileChange) -> Void) {
        guard let path = paths.first else { return }
        let core = core
        add(path, receive)
        let rest = paths.dropFirst()
        if self.core === core { return add(rest, receive) }
        perform { [weak self] in self?.add(rest) { self?.receive($0) } }
    }

    func add(_ path: BytePath, _ receive: @escaping (FileChange) -> Void) {
        let root = core.makeRoot(path, request, receive)
        roots.append(root.number)
        prepare(root)
        core.arm(root)
        if let notice = root.notice { onNotice(notice) }
    }

    func prepare(_ root: WatchedRoot) {
        root.hasRoom = { [weak self] in self?.hasRoom ?? true }
        root.onNotice = { [weak self] in self?.onNotice($0) }
    }

    /// The changes that were found and are not emitted yet.
    var pending: [FileChange] { withheld + (settleTimer?.pending ?? []) }

    /// Stops emitting. Can be called on any thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
    }

    /// Cancels the timers, when the watcher ends. Called on the watcher's queue.
    func halt() {
        settleTimer?.cancel()
        acknowledgeAlarm.cancel()
    }

    /// Ends the run and releases its roots, unless another run may still take them over.
    func end() {
        acknowledgeAlarm.cancel()
        barriers = []
        continueReplaced()
        if core.end(self) { return }
        for root in roots { core.remove(root) }
        roots = []
        settleTimer?.cancel()
        settleTimer = nil
    }

    /// The state for another run of the same request, in this process or the next.
    var runState: FileHandoverState.RunState {
        FileHandoverState.RunState(
            request: request, roots: roots.compactMap { core.roots[$0] }, pending: pending, log: log)
    }

    /// Ends the run and returns its state for another run.
    func leave() -> FileHandoverState.RunState {
        defer { roots = [] }
        halt()
        return runState
    }

    /// Stops emitting, and returns the state for a run on another core that replaces this one.
    func leaveToReplacement() -> FileHandoverState.RunState {
        let (changes, own) = (pending, log)
        halt()
        (settleTimer, withheld, isReplaced) = (nil, [], true)
        // The other run continues the log.
        if own != nil { log = FileLog() }
        let left = core.release(self)
        roots = []
        return FileHandoverState.RunState(request: request, roots: left, pending: changes, log: own)
    }

    static func workingDirectory() -> BytePath {
        BytePath(taking: getcwd(nil, 0)) ?? "/"
    }
}
