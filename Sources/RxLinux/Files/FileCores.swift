import Dispatch
import Glibc
import RxEngine
import Synchronization

// Unchecked: the lock guards all mutable state.
/// The cores of a watcher, each with a queue of its own: one for the file system of the root directory, and one for each
/// set of mounts that may block. A mount that blocks then blocks that queue only.
///
/// Each core has its own state for the next process. A run that needs another core than in the previous process takes
/// its state from that one.
final class FileCores: @unchecked Sendable {
    /// The longest wait for a server, or for a disk other than that of the root directory.
    static let answerTimeout = Duration.seconds(1)

    /// A core other than that of the root directory, as long as it has runs or the state of the previous process.
    struct OtherCore {
        weak var core: FileWatcherCore?
        /// The core, while it may have the state of the previous process.
        var resuming: FileWatcherCore?
        /// The groups of the core's mounts, which are not known before a request needs them.
        var groups: Set<BytePath> = []
        /// The latest state for the next process.
        var handover: FileHandover?
    }

    /// The place of the state of a run of the previous process.
    struct StateLocation {
        let core: FileWatcherCore
        let request: FileRequest
        let log: FilePosition?
    }

    /// The core for everything that is not on a mount that may block.
    let host: FileWatcherCore
    /// The file of the root directory's snapshot; `nil` if no snapshot is saved.
    let path: BytePath?
    private let makeCore: @Sendable (String, FileHandover?) -> FileWatcherCore
    /// Called when there is another core, unless the watcher is resuming.
    let whenExtended: @Sendable () -> Void
    /// Follows paths for threads that must not wait for a disk.
    private let follow = BoundedWait(for: DispatchQueue(label: "rx.files.paths"), timeout: answerTimeout)
    let lock = Lock()
    // The lock guards the variables below.
    var others: [String: OtherCore] = [:]
    var holders: [StateLocation] = []
    private var kindOfMount: @Sendable (String) -> MountKind = MountKind.init(type:)
    /// The cores that are saving their snapshots.
    var saving: Set<ObjectIdentifier> = []
    var isResuming: Bool
    var isOver = false

    init(
        _ handover: FileHandover?, _ bufferSize: Int, _ subscribeTimeout: Duration, savingTo path: BytePath?,
        sharing quota: MemoryQuota, hostTimeout: Duration, whenExtended: @escaping @Sendable () -> Void,
        _ whenDegraded: @escaping @Sendable (FileDegradation) -> Void
    ) {
        host = FileWatcherCore(
            handover, bufferSize, subscribeTimeout, savingTo: path, sharing: quota, timeout: hostTimeout, whenDegraded)
        makeCore = { name, handover in
            FileWatcherCore(
                handover, bufferSize, subscribeTimeout, savingTo: path.map { Self.path(of: name, beside: $0) },
                isHost: false, sharing: quota, timeout: Self.answerTimeout, whenDegraded)
        }
        self.path = path
        self.whenExtended = whenExtended
        isResuming = handover != nil
        for (name, other) in handover?.others ?? [:] where other.hasRuns {
            add(makeCore(name, other), named: name, other)
        }
        if let path {
            for (name, saved) in Self.saved(beside: path) where others[name] == nil {
                add(makeCore(name, saved), named: name)
            }
        }
        for core in all where core.handoverState.isResuming {
            isResuming = true
            holders += core.handoverState.previousRuns.map {
                StateLocation(core: core, request: $0.request, log: $0.log?.position)
            }
        }
    }

    /// Adds a core with a state of the previous process, before there are other threads.
    private func add(_ core: FileWatcherCore, named name: String, _ handover: FileHandover? = nil) {
        others[name] = OtherCore(core: core, resuming: core, handover: handover)
    }

    var all: [FileWatcherCore] { [host] + lock.locked { others.values.compactMap(\.core) } }

    // MARK: the core of a request

    /// Returns the core that a request needs, according to what is mounted.
    ///
    /// - Parameter accessible: the groups of the mounts that may be accessed to follow its paths.
    func core(for request: FileRequest, accessible: Set<BytePath> = []) -> FileWatcherCore {
        let kind: @Sendable (String) -> MountKind = lock.locked { kindOfMount }
        let mounts = MountTable.read()
        let groups = BlockingMounts(among: mounts, kind).touched(by: request, accessible: accessible)
        guard !groups.isEmpty else { return host }
        let disks = groups.subtracting(mounts.filter { kind($0.type) == .server }.map(\.point))
        let name = Self.name(of: groups)
        let (core, isExtended) = lock.locked { () -> (FileWatcherCore, Bool) in
            let known = others[name]?.core
            if let known, others[name]?.groups.isEmpty == false { return (known, false) }
            let core = known ?? makeCore(name, nil)
            let isNew = known == nil
            others[name] = OtherCore(
                core: core, resuming: isResuming ? core : nil, groups: groups, handover: others[name]?.handover)
            core.isRemote.store(disks.count < groups.count, ordering: .releasing)
            // Before the first run, which is enqueued later.
            core.queue.async { [kindOfMount, isOver, isResuming] in
                (core.groups, core.disks) = (groups, disks)
                core.kindOfMount = kindOfMount
                // A run that ends meanwhile leaves its state to the next one of the same request.
                if isNew, isResuming { core.handoverState.beginResuming() }
                if isOver { core.handoverState.stop() }
            }
            return (core, isNew && !isResuming && !isOver)
        }
        if isExtended { whenExtended() }
        return core
    }

    /// Returns the core to start a run on: the one that has its state or the run that it replaces, or else the one that it
    /// needs. Following the paths may have to wait for a disk. This method can be called on any thread, and waits for a
    /// second at most for each core.
    ///
    /// If a disk does not answer, the run starts on the core of the root directory, which waits for the disk and moves
    /// the run if it needs another core.
    func firstCore(for request: FileRequest, after position: FilePosition?) -> FileWatcherCore {
        let needed =
            follow { [self] in
                let paths = request.paths.map(\.description).joined(separator: ", ")
                return BlockingCalls.during("looking for the file systems of \(paths)") { core(for: request) }
            } ?? host
        let ranked = lock.locked { holders }.compactMap { holder in
            request.rank(of: holder.request, holder.log?.log, for: position?.log).map { (rank: $0, holder: holder) }
        }
        // The run may have moved before the previous process ended, and left its earlier state in a file.
        let best = ranked.min {
            let (one, other) = ($0.holder, $1.holder)
            if $0.rank != $1.rank { return $0.rank < $1.rank }
            if one.log?.number != other.log?.number { return one.log?.number ?? 0 > other.log?.number ?? 0 }
            return one.core === needed && other.core !== needed
        }
        return best?.holder.core ?? position.flatMap { coreOfRun(at: $0, preferring: needed) } ?? needed
    }

    /// Returns the core of the run to whose log the position belongs, if it answers in time.
    private func coreOfRun(at position: FilePosition, preferring needed: FileWatcherCore) -> FileWatcherCore? {
        // Only a reload replaces runs.
        if lock.locked({ isResuming }) { return nil }
        let others = all.filter { $0 !== needed }
        // Without another core the run is on this one, which is not asked: it may be busy.
        guard !others.isEmpty else { return nil }
        return ([needed] + others).first { core in core.wait { core.run(at: position) != nil } == true }
    }

    func setKindOfMount(_ kind: @escaping @Sendable (String) -> MountKind) {
        lock.locked { kindOfMount = kind }
        for core in all { core.queue.sync { core.kindOfMount = kind } }
    }
}
