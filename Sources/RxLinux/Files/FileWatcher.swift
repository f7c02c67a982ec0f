import Dispatch
import Glibc
import RxEngine

/// Watches files and directories, with one inotify descriptor for the requests of each file system.
///
/// Changes are emitted in order, each once. A new directory is watched and then walked: files that were created in it
/// meanwhile are emitted as `created`, ``FileChange/isSynthetic``. A file that is written under another name and then
/// replaces a watched file is one `modified`. A move is emitted with both names; a directory's move stands for
/// everything in it. If the kernel loses events, all files are compared again and the differences are emitted. A path
/// may be created later. A path that is replaced is followed, also through the symbolic links that lead to it.
///
/// The watcher of the next process can resume from this one's state: see ``FileHandover``.
public final class FileWatcher: Sendable {
    /// The memory of the trees of all cores.
    let quota = MemoryQuota.forFileTrees()
    private let cores: FileCores
    /// The core of the root directory's file system.
    private var core: FileWatcherCore { cores.host }
    private let degraded = PublishSubject<FileDegradation>()
    private let extended = PublishSubject<Void>()
    /// Serializes saving, so that a snapshot that was written later is also put in place later.
    private let saving = DispatchQueue(label: "rx.files.saving")

    /// Creates a watcher without requests.
    public convenience init() {
        self.init(resuming: nil)
    }

    /// Creates a watcher that resumes from the state of the previous process.
    ///
    /// For the same requests, it emits the changes since then.
    ///
    /// Call ``finishResuming()`` after all subscriptions; no event of the kernel is handled before.
    ///
    /// - Parameters:
    ///   - handover: the state of the previous process; `nil` if there is none.
    ///   - path: the file in which ``saveChanges(isUrgent:)`` saves the snapshot; `nil` if it saves none.
    public convenience init(resuming handover: FileHandover?, savingTo path: BytePath? = nil) {
        self.init(resuming: handover, bufferSize: Self.defaultBufferSize, savingTo: path)
    }

    /// Creates a watcher with settings for tests.
    ///
    /// - Parameters:
    ///   - handover: the state of the previous process; `nil` if there is none.
    ///   - bufferSize: the size of the buffer for events in bytes.
    ///   - subscribeTimeout: the wait for further requests after the last one.
    ///   - localTimeout: the longest wait for the root directory's file system.
    ///   - path: the file in which ``saveChanges(isUrgent:)`` saves the snapshot; `nil` if it saves none.
    init(
        resuming handover: FileHandover?, bufferSize: Int = defaultBufferSize,
        subscribeTimeout: Duration = defaultSubscribeTimeout,
        localTimeout: Duration = FileWatcherCore.localTimeout,
        savingTo path: BytePath? = nil
    ) {
        cores = FileCores(
            handover, bufferSize, subscribeTimeout, savingTo: path, sharing: quota, hostTimeout: localTimeout,
            whenExtended: { [extended] in extended.onNext(()) }
        ) { [degraded] in degraded.onNext($0) }
    }

    static let defaultBufferSize = 256 * 1024
    static let defaultSubscribeTimeout = Duration.seconds(5)

    /// Emits the changes that `request` selects, on a queue of the watcher.
    ///
    ///     created a         --c(a)----m(b<a)---
    ///     renamed to b
    ///
    /// The sequence never completes. It fails with a ``SystemError`` if the system refuses all watches, or after
    /// ``stop()``.
    ///
    /// - Parameters:
    ///   - request: the paths to watch, and the changes to emit.
    ///   - onArmed: called, on the same queue, when all paths are watched; later changes are emitted.
    ///   - onNotice: called, on the same queue, with notices about paths that are not, or not fully, watched.
    public func changes(
        _ request: FileRequest, onArmed: @escaping @Sendable () -> Void = {},
        onNotice: @escaping @Sendable (FileNotice) -> Void = { _ in }
    ) -> Observable<FileChange> {
        run(request, after: nil, isLogged: false, limit: .max, onArmed, onNotice)
            .compactMap { if case .change(let change, _, _, _) = $0 { change } else { nil } }
    }

    /// Emits changes as `changes(_:onArmed:onNotice:)` does, to a subscriber that stores its position.
    ///
    /// The snapshot keeps the emitted changes until ``acknowledge(_:)`` reports that their position is stored. The next
    /// process emits the changes after the position again, under the same names. A watcher that saves its snapshot
    /// keeps a journal beside it with the changes that it has emitted since. Without the journal, creations and
    /// modifications are emitted again under the same names, other changes under other names.
    ///
    /// The position may be that of a current subscriber, or of one of the previous process, with another request. This
    /// subscriber then replaces that one: it takes over the state of the paths that both watch in the same way, and the
    /// changes that have not settled.
    ///
    /// A subscriber with as many unprocessed changes as the limit receives no more, until it has processed half of
    /// them. Then all files are compared again, as after an overflow of the kernel's queue. The files that one change
    /// has removed or moved may exceed the limit.
    ///
    /// - Parameters:
    ///   - request: the paths to watch, and the changes to emit.
    ///   - position: the position that the subscriber has stored; `nil` if there is none.
    ///   - limit: the most changes that the subscriber has not processed.
    ///   - barriers: the barriers to emit.
    ///   - onArmed: called, on the watcher's queue, when all paths are watched; later changes are emitted.
    ///   - onNotice: called, on the watcher's queue, with notices about paths that are not, or not fully, watched.
    public func readings(
        _ request: FileRequest, after position: FilePosition?, limit: Int = .max, barriers: BarrierStreams? = nil,
        onArmed: @escaping @Sendable () -> Void = {}, onNotice: @escaping @Sendable (FileNotice) -> Void = { _ in }
    ) -> Observable<FileReading> {
        run(request, after: position, isLogged: true, limit: limit, barriers: barriers, onArmed, onNotice)
    }

    private func run(
        _ request: FileRequest, after position: FilePosition?, isLogged: Bool, limit: Int,
        barriers: BarrierStreams? = nil,
        _ onArmed: @escaping @Sendable () -> Void, _ onNotice: @escaping @Sendable (FileNotice) -> Void
    ) -> Observable<FileReading> {
        .create { [cores] observer in
            let request = request.absolute(from: FileRun.workingDirectory())
            let run = FileRun(
                on: cores.firstCore(for: request, after: position),
                { cores.core(for: request, accessible: $0.disks) }, request, observer, after: position,
                isLogged: isLogged, limit: limit, onNotice: onNotice)
            run.begin(OnceWithTimeout(onArmed))
            let key = barriers?.add { [weak run] in run?.pass($0) }
            return Disposables.create {
                if let key { barriers?.remove(key) }
                run.stop()
                run.perform { run.end() }
            }
        }
    }

    /// Reports that a subscriber has stored this position, so that the changes up to it need not be emitted again.
    public func acknowledge(_ position: FilePosition) {
        for core in cores.all {
            core.queue.async {
                for run in core.handoverState.runs where run.run?.log?.id == position.log {
                    run.run?.acknowledge(upTo: position.number)
                }
            }
        }
    }

    /// Emits each path that is polled or only partly watched, on the watcher's queue, when that begins.
    public var degradations: Observable<FileDegradation> { degraded.asObservable() }

    /// The paths that are currently polled or only partly watched, without those on file systems that do not answer.
    ///
    /// Do not call this from an observer: it blocks.
    public var degradedPaths: [FileDegradation] {
        cores.all.flatMap { core in core.wait { core.degradations } ?? [] }
    }

    /// The queue of the root directory's file system, for tests that block it.
    var queueForTests: DispatchQueue { core.queue }
    /// The queues of the other file systems.
    var otherQueuesForTests: [DispatchQueue] { cores.all.dropFirst().map(\.queue) }

    /// Sets the function that classifies mounts, for tests that poll a local file system.
    func setKindOfMount(_ kind: @escaping @Sendable (String) -> MountKind) {
        cores.setKindOfMount(kind)
    }

    /// The number of watched directories. Do not call this from an observer: it blocks.
    public var watchCount: Int {
        cores.all.reduce(0) { count, core in count + (core.wait { core.watchCount } ?? 0) }
    }
}

// MARK: the next process

extension FileWatcher {
    /// Whether the queues and the snapshots are those of the handover that this watcher has resumed from.
    ///
    /// They need not be stored again then.
    public var isResumed: Bool { cores.isResumed }

    /// Finishes resuming, after all subscriptions.
    ///
    /// Releases the previous process's watches that no subscriber uses, and emits the changes since then. Without a
    /// call, this happens five seconds after the last request.
    public func finishResuming() {
        cores.finishResuming()
    }

    /// Emits, on any thread, when a file system gets a queue and a snapshot of its own.
    ///
    /// An earlier result of ``handover()`` lacks these. They exist when its paths are watched, a moment later.
    public var handoverExtensions: Observable<Void> { extended.asObservable() }

    /// Returns the state for the next process, and keeps it up to date from now on.
    ///
    /// The snapshot is written within 20 ms of a change, or less often if that takes more than a fiftieth of the time,
    /// but at least every five seconds while there are changes. Do not call this from an observer: it blocks.
    public func handover() throws(SystemError) -> FileHandover { try cores.handover() }

    /// Stops emitting, and keeps the state for the next process, which emits the changes from now on.
    ///
    /// After this, the result of ``handover()`` is up to date. Call this before subscriptions are disposed, since the
    /// state has only the remaining ones. Do not call it from an observer: it blocks.
    public func stop() { cores.stop() }

    /// Saves the snapshot to a file, which it replaces, for ``FileHandover/init(savedAt:)``.
    ///
    /// Do not call this from an observer: it blocks.
    public func save(to path: BytePath) throws(SystemError) {
        _ = try save { core throws(SystemError) in
            .place(try core.writeCopy(beside: path), at: path)
        }
        _ = try cores.saveOthers(isUrgent: true)
    }

    /// Saves the snapshot to the file of the latest save, if it has changed since.
    ///
    /// Also updates the result of ``handover()``. Do not call this from an observer: it blocks.
    ///
    /// - Parameter isUrgent: whether to save in any case. If not, saving takes at most a fiftieth of the time.
    /// - Returns: the time to wait before the next attempt; `nil` if all emitted changes are saved.
    public func saveChanges(isUrgent: Bool = false) throws(SystemError) -> Duration? {
        let wait = try save { core throws(SystemError) in try core.saveChanges(isUrgent: isUrgent) }
        let others = try cores.saveOthers(isUrgent: isUrgent)
        return wait.map { max($0, others ?? $0) } ?? others
    }

    /// Writes the snapshot and puts it in place, as one step of the saving queue. Saves nothing while the core is
    /// blocked: the journal has the changes that it has emitted.
    private func save(
        _ write: @escaping @Sendable (FileWatcherCore) throws(SystemError) -> FileWatcherCore.SaveStep
    ) throws(SystemError) -> Duration? {
        let core = core
        return try saving.sync {
            Result { () throws(SystemError) -> Duration? in
                guard !core.wait.isBlocked else { return nil }
                let saving = core.wait { [core] in
                    Result { () throws(SystemError) in try write(core) }
                } late: { [core] in
                    // The caller has stopped waiting, so the file is not put in place. The next save replaces it.
                    if case .success(.place(let file, _)) = $0 { close(file) }
                    core.handoverState.isSaved = false
                }
                switch try saving?.get() {
                case .isSaved, nil: return nil
                case .wait(let span): return span
                case .place(let file, let path):
                    do throws(SystemError) {
                        try FileWatcherCore.place(file, at: path)
                        _ = core.wait { [core] in core.placed() }
                    } catch {
                        core.queue.async { [core] in core.handoverState.isSaved = false }
                        throw error
                    }
                    return nil
                }
            }
        }.get()
    }

    /// Stops writing the snapshot, for tests.
    func holdSnapshot() {
        core.queue.sync { core.handoverState.isWritingDue = true }
    }

    /// Stops everything as if the process had died, for tests.
    func simulateCrash() {
        for core in cores.all { _ = core.wait { core.simulateCrash() } }
    }

    /// Stops everything as if the process had died, if the snapshot is up to date, for tests.
    func simulateCrashIfSnapshotIsCurrent() -> Bool {
        simulateCrash { $0.handoverState.snapshot?.isStale != true }
    }

    /// Stops everything as if the process had died, if all reported events are handled, for tests.
    func simulateCrashIfAllEventsAreHandled() -> Bool {
        simulateCrash(where: \.hasHandledAllEvents)
    }

    /// Stops the cores of which this holds; returns whether all have stopped.
    private func simulateCrash(where isReady: (FileWatcherCore) -> Bool) -> Bool {
        cores.all.allSatisfy { core in
            core.queue.sync {
                if !core.handoverState.isOver, isReady(core) { core.simulateCrash() }
                return core.handoverState.isOver
            }
        }
    }

    /// Whether all events that the kernel has reported are handled, for tests. Reads those that it has not notified of.
    var hasHandledAllEvents: Bool {
        core.queue.sync {
            if !core.handoverState.isQueueUnread { core.readNow() }
            return core.hasHandledAllEvents
        }
    }
}
