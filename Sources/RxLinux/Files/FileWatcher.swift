import Dispatch
import RxEngine

/// Watches files and directories: one inotify descriptor for all that anyone wants to know.
///
/// What is told, is told in order and once. A new directory is watched and then looked into: what was made in it
/// meanwhile is told as `created`, ``FileChange/isSynthetic``. A file that is written beside another and takes its
/// place is one `modified`. A move is told with both names, and a directory's move stands for everything in it. Where
/// the kernel loses events, everything is looked at again and the differences are told. A path that does not exist is
/// waited for; one that is replaced is followed, symbolic links that lead there included.
///
/// A watcher's successor, in the next process, can go on where it was: see ``FileHandover``.
public final class FileWatcher: Sendable {
    private let core: FileWatcherCore
    private let degraded = PublishSubject<FileDegradation>()
    /// Saves the snapshot, once at a time: what was written later is put in place later.
    private let saving = DispatchQueue(label: "rx.files.saving")

    /// A watcher that watches nothing yet.
    public convenience init() {
        self.init(resuming: nil)
    }

    /// A watcher that goes on where another has left off: of requests like those that it had, what has happened since
    /// is told.
    ///
    /// Whoever has asked for everything calls ``finishResuming()``: nothing that the kernel says is told before.
    ///
    /// - Parameter path: where ``saveChanges(isUrgent:)`` saves the snapshot.
    public convenience init(resuming handover: FileHandover?, savingTo path: BytePath? = nil) {
        self.init(resuming: handover, room: 256 * 1024)
        core.queue.sync { core.handoverState.path = path }
    }

    /// - Parameters:
    ///   - room: for how many bytes of events there is room at a time.
    ///   - patience: how long after the last request nobody else is waited for.
    init(resuming handover: FileHandover?, room: Int = 256 * 1024, patience: Duration = .seconds(5)) {
        core = FileWatcherCore(handover, room, patience) { [degraded] in degraded.onNext($0) }
    }

    /// The changes that `request` asks for, told on a queue of the watcher's.
    ///
    ///     created a         --c(a)----m(b<a)---
    ///     renamed to b
    ///
    /// Never ends, but with a ``SystemError`` where the system lets nothing be watched at all, or after ``stop()``.
    ///
    /// - Parameter onArmed: called, on the same queue, when everything is watched: what happens afterwards is told.
    public func changes(
        _ request: FileRequest, onArmed: @escaping @Sendable () -> Void = {}
    ) -> Observable<FileChange> {
        run(request, after: nil, isLogged: false, limit: .max, onArmed)
            .compactMap { if case .change(let change, _, _, _) = $0 { change } else { nil } }
    }

    /// As ``changes(_:onArmed:)``, for a subscriber that stores its position, and what it has done of the changes up to
    /// there.
    ///
    /// What it was told is kept in the snapshot until ``acknowledge(_:)`` says that its position is stored. The next
    /// process tells what came after the position again, under the same names. Where it was told and the snapshot did
    /// not have it yet, files that were created or modified are told by the same names again, other changes by other
    /// names.
    ///
    /// A subscriber that has not processed as many changes as the limit is told no more, until it has processed half of
    /// them. Then everything is looked at again, as after an overflow of the kernel's queue. What one change has
    /// removed or moved may exceed the limit.
    ///
    /// - Parameters:
    ///   - position: the position that was stored.
    ///   - limit: the largest number of changes that the subscriber has not processed.
    public func readings(
        _ request: FileRequest, after position: FilePosition?, limit: Int = .max,
        onArmed: @escaping @Sendable () -> Void = {}
    ) -> Observable<FileReading> {
        run(request, after: position, isLogged: true, limit: limit, onArmed)
    }

    private func run(
        _ request: FileRequest, after position: FilePosition?, isLogged: Bool, limit: Int,
        _ onArmed: @escaping @Sendable () -> Void
    ) -> Observable<FileReading> {
        .create { [core] observer in
            let run = FileRun(core, request, observer, after: position, isLogged: isLogged, limit: limit)
            core.queue.async {
                run.start()
                if !core.handoverState.isHeldUp {
                    // What it has found is known to it, and may be news to a run that it replaces as soon as it is
                    // armed.
                    core.readNow()
                    run.finishResuming()
                }
                onArmed()
            }
            return Disposables.create {
                run.stop()
                core.queue.async { run.end() }
            }
        }
    }

    /// The subscriber has stored this position: what it was told up to there need not be told again.
    public func acknowledge(_ position: FilePosition) {
        core.queue.async { [core] in
            for run in core.handoverState.runs where run.run?.log?.id == position.log {
                run.run?.acknowledge(upTo: position.number)
            }
        }
    }

    /// Paths that are not watched as they should be, as that is found out. On the watcher's queue.
    public var degradations: Observable<FileDegradation> { degraded.asObservable() }

    /// The paths that are not watched as they should be at the moment. Not to be called from an observer.
    public var degradedPaths: [FileDegradation] { core.queue.sync { core.degradations } }

    /// For tests, which hold it up.
    var queueForTests: DispatchQueue { core.queue }

    /// For tests, which tell what has to be looked at by the names of file systems that anyone may mount.
    func setKindOfMount(_ kind: @escaping @Sendable (String) -> FileSystemKind) {
        core.queue.sync { core.kindOfMount = kind }
    }

    /// How many directories are watched. Not to be called from an observer.
    public var watchCount: Int { core.queue.sync { core.watchCount } }
}

// MARK: the next process

extension FileWatcher {
    /// Whether the queue and the snapshot are those of the handover that this watcher began with: whoever keeps them
    /// need not be told again.
    public var isResumed: Bool { core.queue.sync { core.handoverState.isResumed } }

    /// Everything that is asked for has been: what the previous process watched and nobody wants any more is let go,
    /// and what has happened since is told. Where nobody calls this, it is done five seconds after the last request.
    public func finishResuming() {
        core.queue.async { [core] in core.finishResuming() }
    }

    /// What the next process needs, kept up to date from now on: within 20 ms of a change, or where that would take
    /// more than a fiftieth of the time, less often, but every five seconds. Not to be called from an observer.
    public func handover() throws(SystemError) -> FileHandover {
        try core.queue.sync { Result { () throws(SystemError) in try core.handover() } }.get()
    }

    /// Takes in nothing more and keeps everything as it is: what happens from now on is the next process's to tell.
    /// When this has returned, ``handover()`` is up to date. To be called before what was subscribed to is disposed of:
    /// that would be a request less. Not to be called from an observer.
    public func stop() {
        core.queue.sync { core.stop() }
    }

    /// Writes the snapshot to a file, in the stead of what is there, for ``FileHandover/init(savedAt:)``. Not to be
    /// called from an observer.
    public func save(to path: BytePath) throws(SystemError) {
        _ = try save { core throws(SystemError) in .place(try core.writeCopy(beside: path), at: path) }
    }

    /// As ``save(to:)``, where the snapshot was saved last, if it has changed since; what ``handover()`` has given is
    /// brought up to date, too. Not to be called from an observer.
    ///
    /// - Parameter isUrgent: whether it is saved in any case. Otherwise that takes no more than a fiftieth of the time.
    /// - Returns: how long to wait before it is tried again; `nil` if everything that was told is saved.
    public func saveChanges(isUrgent: Bool = false) throws(SystemError) -> Duration? {
        try save { core throws(SystemError) in try core.saveChanges(isUrgent: isUrgent) }
    }

    /// Writes and places the snapshot in one step.
    private func save(
        _ write: (FileWatcherCore) throws(SystemError) -> FileWatcherCore.Saving
    ) throws(SystemError) -> Duration? {
        try saving.sync {
            Result { () throws(SystemError) -> Duration? in
                switch try core.queue.sync(execute: { Result { () throws(SystemError) in try write(core) } }).get() {
                case .isSaved: return nil
                case .wait(let span): return span
                case .place(let file, let path):
                    do throws(SystemError) {
                        try FileWatcherCore.place(file, at: path)
                    } catch {
                        core.queue.sync { core.handoverState.isSaved = false }
                        throw error
                    }
                    return nil
                }
            }
        }.get()
    }

    /// For tests: the snapshot is written no more.
    func holdTable() {
        core.queue.sync { core.handoverState.isWritingDue = true }
    }

    /// For tests: everything stops in the middle of what it does, as if the process had died.
    func die() {
        core.queue.sync { core.die() }
    }

    /// For tests: the same, if the snapshot is up to date.
    func dieAtRest() -> Bool {
        core.queue.sync {
            guard core.handoverState.snapshot?.isStale == false else { return false }
            core.die()
            return true
        }
    }

    /// For tests: the same, but not while there is something that has yet to be told.
    func dieWhenAllIsTold() -> Bool {
        core.queue.sync {
            guard core.isDrained, core.roots.values.allSatisfy(\.departures.isEmpty) else { return false }
            core.die()
            return true
        }
    }
}
