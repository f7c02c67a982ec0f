import Glibc
import RxEngine
import Synchronization

// Unchecked: used on the watcher's queue alone, but for the flag, which is atomic.
/// One subscription to a request.
final class FileRun: @unchecked Sendable {
    private let core: FileWatcherCore
    let request: FileRequest
    private let observer: AnyObserver<FileReading>
    private let position: FilePosition?
    /// What was told, for a subscriber that keeps its position.
    private(set) var log: FileLog?
    /// Whether what the previous process has left was looked at.
    private var isResumed = false
    private var isCaughtUp = false
    private let isStopped = Atomic(false)
    private(set) var roots: [Int32] = []
    private var settleTimer: SettleTimer?
    /// Bounds what the subscriber has not processed.
    private var window: FileWindow?
    private let limit: Int
    /// Whether the subscriber was told that there is no room.
    private var isSuspended = false
    private let patience: Alarm
    /// The run that this one is to replace, if that is behind: this one tells what it has left out.
    private weak var replaced: FileRun?
    private var isReplaced = false

    /// - Parameters:
    ///   - position: where the subscriber was.
    ///   - isLogged: whether it keeps its position.
    ///   - limit: the largest number of changes that it has not processed.
    init(
        _ core: FileWatcherCore, _ request: FileRequest, _ observer: AnyObserver<FileReading>,
        after position: FilePosition?, isLogged: Bool, limit: Int
    ) {
        self.limit = limit
        patience = Alarm(on: core.queue)
        self.core = core
        self.position = position
        log = isLogged ? FileLog() : nil
        self.request = request.absolute(from: Self.workingDirectory())
        self.observer = observer
    }

    func start() {
        guard !isStopped.load(ordering: .acquiring) else { return }
        if request.settle > .zero {
            settleTimer = SettleTimer(request.settle, on: core.queue, willTell: { [weak core] in core?.willChange() }) {
                // What became of several is asked for, or not, as what it is in the end.
                [weak self] in if self?.request.kinds.contains($0.kind) == true { self?.tell($0) }
            }
            settleTimer?.whenTold = { [weak self] in
                self?.goOn()
                self?.catchUp()
            }
        }
        if log != nil {
            window = FileWindow(limit: limit) { [weak self, weak core] in
                core?.queue.async { [weak self] in self?.goOn() }
            }
        }
        let take: (FileChange) -> Void = { [weak self] in self?.take($0) }
        do throws(SystemError) {
            try core.begin(self)
            let before = core.takeOver(request, position?.log)
            resumeLog(before?.log)
            if let before {
                roots = before.roots.map(\.number)
                for change in before.keptBack { self.take(change) }
                resume(before.roots, take)
                // The run that left them may have been behind.
                goOn()
            } else if let other = core.runBehind(request, position) {
                (replaced, other.isReplaced) = (other, true)
                let copies = other.roots.compactMap { core.roots[$0]?.copy() }
                roots = copies.map(\.number)
                resume(copies, take)
            } else {
                for path in request.paths {
                    let number = core.add(path, request, take)
                    core.roots[number]?.hasRoom = { [weak self] in self?.hasRoom ?? true }
                    roots.append(number)
                }
            }
        } catch {
            observer.onError(error)
        }
    }

    private func resume(_ roots: [WatchedRoot], _ take: @escaping (FileChange) -> Void) {
        for root in roots {
            root.hasRoom = { [weak self] in self?.hasRoom ?? true }
            core.resume(root, take)
        }
    }

    // MARK: back-pressure

    /// Whether the subscriber takes more changes. The first time that it does not, it is told.
    private var hasRoom: Bool {
        let isLogFull = log?.isFull == true
        guard isLogFull || window?.isFull == true || settleTimer.map({ $0.count >= limit }) == true else { return true }
        if !isSuspended, !isStopped.load(ordering: .acquiring) {
            isSuspended = true
            observer.onNext(.suspended(isLogFull ? FileLog.most : limit))
        }
        if isLogFull {
            patience.set(after: FileLog.patience) { [weak self] in
                self?.log?.giveUp()
                self?.goOn()
            }
        }
        return false
    }

    /// Whether changes were left to a comparison.
    var isBehind: Bool { roots.contains { core.roots[$0]?.isBehind == true } }

    /// Tells what was left out, if there is room.
    private func goOn() {
        guard isBehind, !isReplaced, !core.handoverState.isOver, !isStopped.load(ordering: .acquiring),
            window?.isHalfFree ?? true, log?.isHalfFree ?? true, settleTimer.map({ $0.count <= limit / 2 }) ?? true
        else { return }
        core.willChange()
        for root in roots { core.roots[root]?.goOn() }
        core.scheduleTick()
        guard !isBehind else { return }
        isSuspended = false
        catchUp()
    }

    // MARK: telling

    /// Goes on with the log of the previous process, by telling what the subscriber does not have.
    private func resumeLog(_ before: FileLog?) {
        guard log != nil else { return }
        if let before { log = before }
        let known = position.flatMap { $0.log == log?.id ? $0.number : nil } ?? 0
        if position == nil { log?.forget(upTo: known) } else { log?.acknowledge(upTo: known) }
        log?.advance(to: known)
        guard let log else { return }
        observer.onNext(.started(FilePosition(log: log.id, number: known)))
        for entry in log.all { tell(entry) }
    }

    /// What the previous process has left was looked at; what settles may still have to be told.
    func finishResuming() {
        isResumed = true
        catchUp()
    }

    private func catchUp() {
        guard isResumed, !isCaughtUp, settleTimer?.isEmpty ?? true, !isBehind else { return }
        isCaughtUp = true
        if log != nil, !isStopped.load(ordering: .acquiring) { observer.onNext(.caughtUp) }
    }

    /// The subscriber has stored everything up to this number.
    func acknowledge(upTo number: UInt64) {
        log?.acknowledge(upTo: number)
        patience.cancel()
        goOn()
    }

    /// What has not been told yet.
    var keptBack: [FileChange] { settleTimer?.keptBack ?? [] }

    /// Nothing is told any more. From any thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
    }

    /// As ``stop()``, on the watcher's queue, and for good.
    func halt() {
        settleTimer?.cancel()
        patience.cancel()
    }

    /// Lets go of what it watches, unless another run may go on with it.
    func end() {
        patience.cancel()
        replaced?.isReplaced = false
        replaced?.goOn()
        if core.end(self) { return }
        for root in roots { core.remove(root) }
        roots = []
        settleTimer?.cancel()
        settleTimer = nil
    }

    /// What another run of the same request needs.
    var former: HandoverState.Former {
        HandoverState.Former(
            request: request, roots: roots.compactMap { core.roots[$0] }, keptBack: keptBack, log: log)
    }

    /// Ends, and leaves what it watches to another run.
    func leave() -> HandoverState.Former {
        defer { roots = [] }
        halt()
        return former
    }

    private func take(_ change: FileChange) {
        if let settleTimer { settleTimer.take(change) } else { tell(change) }
    }

    private func tell(_ change: FileChange) {
        guard log != nil else {
            if !isStopped.load(ordering: .acquiring) {
                observer.onNext(.change(change, name: "", FilePosition(log: 0, number: 0), nil))
            }
            return
        }
        // Another run may go on with the log.
        let identity = change.identity ?? core.name(of: change)
        if let entry = log?.add(change, identity: identity) { tell(entry) }
    }

    private func tell(_ entry: FileLog.Entry) {
        guard let log, !isStopped.load(ordering: .acquiring) else { return }
        let position = FilePosition(log: log.id, number: entry.number)
        observer.onNext(.change(entry.change, name: entry.name, position, window?.enter()))
    }

    private static func workingDirectory() -> BytePath {
        BytePath(taking: getcwd(nil, 0)) ?? "/"
    }
}
