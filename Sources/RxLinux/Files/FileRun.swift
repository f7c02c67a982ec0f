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
    private var settling: FileSettling?

    /// - Parameters:
    ///   - position: where the subscriber was.
    ///   - isLogged: whether it keeps its position.
    init(
        _ core: FileWatcherCore, _ request: FileRequest, _ observer: AnyObserver<FileReading>,
        after position: FilePosition?, isLogged: Bool
    ) {
        self.core = core
        self.position = position
        log = isLogged ? FileLog() : nil
        self.request = request.absolute(from: Self.workingDirectory())
        self.observer = observer
    }

    func start() {
        guard !isStopped.load(ordering: .acquiring) else { return }
        if request.settle > .zero {
            settling = FileSettling(request.settle, on: core.queue, willTell: { [weak core] in core?.willChange() }) {
                // What became of several is asked for, or not, as what it is in the end.
                [weak self] in if self?.request.kinds.contains($0.kind) == true { self?.tell($0) }
            }
            settling?.whenEmpty = { [weak self] in self?.catchUp() }
        }
        let take: (FileChange) -> Void = { [weak self] in self?.take($0) }
        do throws(SystemError) {
            try core.begin(self)
            let before = core.takeOver(request, position?.log)
            resumeLog(before?.log)
            if let before {
                roots = before.roots.map(\.number)
                for change in before.keptBack { self.take(change) }
                for root in before.roots { core.resume(root, take) }
            } else {
                for path in request.paths { roots.append(core.add(path, request, take)) }
            }
        } catch {
            observer.onError(error)
        }
    }

    /// Goes on with the log of the previous process, by telling what the subscriber does not have.
    private func resumeLog(_ before: FileLog?) {
        guard log != nil else { return }
        if let before { log = before }
        let known = position.flatMap { $0.log == log?.id ? $0.number : nil } ?? 0
        log?.forget(upTo: known)
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
        guard isResumed, !isCaughtUp, settling?.isEmpty ?? true else { return }
        isCaughtUp = true
        if log != nil, !isStopped.load(ordering: .acquiring) { observer.onNext(.caughtUp) }
    }

    /// The subscriber has stored everything up to this number.
    func forget(upTo number: UInt64) {
        log?.forget(upTo: number)
    }

    /// What has not been told yet.
    var keptBack: [FileChange] { settling?.keptBack ?? [] }

    /// Nothing is told any more. From any thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
    }

    /// As ``stop()``, on the watcher's queue, and for good.
    func halt() {
        settling?.cancel()
    }

    /// Lets go of what it watches, unless another run may go on with it.
    func end() {
        if core.end(self) { return }
        for root in roots { core.remove(root) }
        roots = []
        settling?.cancel()
        settling = nil
    }

    /// What another run of the same request needs.
    var former: FileSuccession.Former {
        FileSuccession.Former(
            request: request, roots: roots.compactMap { core.roots[$0] }, keptBack: keptBack, log: log)
    }

    /// Ends, and leaves what it watches to another run.
    func leave() -> FileSuccession.Former {
        defer { roots = [] }
        halt()
        return former
    }

    private func take(_ change: FileChange) {
        if let settling { settling.take(change) } else { tell(change) }
    }

    private func tell(_ change: FileChange) {
        guard log != nil else {
            if !isStopped.load(ordering: .acquiring) {
                observer.onNext(.change(change, name: "", FilePosition(log: 0, number: 0)))
            }
            return
        }
        // Another run may go on with the log.
        let identity = change.identity ?? core.name(of: change)
        if let entry = log?.add(change, identity: identity) { tell(entry) }
    }

    private func tell(_ entry: FileLog.Entry) {
        guard let log, !isStopped.load(ordering: .acquiring) else { return }
        observer.onNext(.change(entry.change, name: entry.name, FilePosition(log: log.id, number: entry.number)))
    }

    private static func workingDirectory() -> BytePath {
        BytePath(taking: getcwd(nil, 0)) ?? "/"
    }
}
