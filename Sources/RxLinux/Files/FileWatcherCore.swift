import CLinux
import Dispatch
import Glibc
import RxEngine
import Synchronization

// Unchecked: used only on its queue, except for methods whose comment says otherwise.
/// The implementation of a watcher, on its queue.
final class FileWatcherCore: @unchecked Sendable {
    /// The events of a directory whose files are watched.
    static let everything = names | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ATTRIB)
    /// The events of a directory that leads to a root.
    static let names =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
        | UInt32(IN_MOVE_SELF)
    /// `IN_ONLYDIR`, `IN_EXCL_UNLINK` and `IN_MASK_ADD`, which adds events: a directory may lead to one root and be
    /// part of another.
    private static let watchFlags: UInt32 = 0x0100_0000 | 0x0400_0000 | 0x2000_0000

    let queue = DispatchQueue(label: "rx.files")
    /// Whether this is the core of the root directory's file system, and not one of mounts that may block.
    let isHost: Bool
    /// Whether one of the mounts of this core is that of a server. Can be read on any thread.
    let isRemote = Atomic(false)
    /// The groups of the mounts that this core may access, which may block.
    var groups: Set<BytePath> = []
    /// The members of `groups` that are local disks.
    var disks: Set<BytePath> = []
    /// Waits for this core, from another thread.
    let wait: BoundedWait
    /// The number of directories, files and events that this core has handled. Can be read on any thread.
    let progress = Atomic(0)
    private let whenDegraded: @Sendable (FileDegradation) -> Void
    let alarm: OneShotTimer
    /// Whether a run may have barriers to emit.
    var hasBarriers = false
    var reader: ReadableDescriptor?
    /// The mounts, while there are roots.
    var mounts: MountTable?
    /// The mounts that are polled.
    var polledMounts: [Mount] = []
    /// The mounts that may block.
    var blocking = BlockingMounts.none
    /// Returns the kind of a mounted file system by its type.
    var kindOfMount: (String) -> MountKind = MountKind.init(type:)
    var descriptor: Int32 = -1
    var roots: [Int32: WatchedRoot] = [:]
    /// The memory of the trees, which the cores of a watcher share.
    let quota: MemoryQuota
    private var lastNumber: Int32 = 0
    let handoverState: FileHandoverState
    var owners = WatchOwners()
    /// The memory for events, which is allocated at the first read.
    lazy var buffer = [UInt8](repeating: 0, count: bufferSize)
    private let bufferSize: Int
    /// Whether the last read has emptied the kernel's queue.
    var isDrained = true
    var isReadDue = false
    /// A part of the names of this watcher's changes, so that they differ from those of other watchers.
    private let id = UInt64.random(in: 1 ... .max)
    /// The number of the event that causes the current changes.
    var moment: UInt64 = 0
    var lastBirth: (moment: UInt64, path: BytePath, birth: FileStatus?)?
    /// The time at which the latest event was read, which is the same for all roots.
    var eventTime = SuspendingClock.now

    init(
        _ handover: FileHandover?, _ bufferSize: Int, _ subscribeTimeout: Duration, savingTo path: BytePath? = nil,
        isHost: Bool = true, sharing quota: MemoryQuota = .forFileTrees(),
        timeout: Duration = localTimeout,
        _ whenDegraded: @escaping @Sendable (FileDegradation) -> Void
    ) {
        self.isHost = isHost
        self.quota = quota
        wait = BoundedWait(for: queue, timeout: timeout)
        self.whenDegraded = whenDegraded
        self.bufferSize = bufferSize
        alarm = OneShotTimer(on: queue)
        handoverState = FileHandoverState(on: queue, subscribeTimeout)
        handoverState.path = path
        if let handover { takeOver(handover) }
        handoverState.journal = path.map { ChangeJournal(beside: $0) }
    }

    deinit {
        alarm.cancel()
        handoverState.cancel()
        if let reader { reader.dispose() } else if descriptor >= 0 { close(descriptor) }
    }

    var watchCount: Int { owners.count }
    var degradations: [FileDegradation] { roots.values.compactMap(\.degradation) }

    // MARK: roots

    /// Creates a root, for `arm`.
    func makeRoot(
        _ path: BytePath, _ request: FileRequest, _ onChange: @escaping (FileChange) -> Void
    ) -> WatchedRoot {
        willChange()
        let root = WatchedRoot(path, request, nextNumber(), self, onChange)
        roots[root.number] = root
        watchMounts()
        return root
    }

    func arm(_ root: WatchedRoot) {
        root.arm()
        root.findPolledParts()
        scheduleTick()
    }

    /// Adds a root that has its state and its watches already. The caller schedules the next tick.
    func join(_ root: WatchedRoot, _ onChange: @escaping (FileChange) -> Void) {
        willChange()
        root.onChange = onChange
        roots[root.number] = root
    }

    /// Releases a run that moves to another core.
    ///
    /// - Returns: its roots, with their trees.
    func release(_ run: FileRun) -> [WatchedRoot] {
        willChange()
        handoverState.runs.removeAll { $0.run == nil || $0.run === run }
        let left = run.roots.compactMap { roots[$0] }
        release(left)
        return left
    }

    /// Removes the watches of roots that move to another core.
    private func release(_ left: [WatchedRoot]) {
        for root in left where roots.removeValue(forKey: root.number) != nil {
            for (node, watch) in root.tree?.watched ?? [] { unwatch(watch, root.number, node) }
            for watch in root.ancestorWatches.keys { unwatch(watch, root.number, FileTree.none) }
        }
    }

    /// Releases the state of a run of the previous process, which starts on another core.
    func release(_ request: FileRequest, _ log: UInt64?) -> FileHandoverState.RunState? {
        guard let state = takeOver(request, log) else { return nil }
        willChange()
        release(state.roots)
        return state
    }

    /// Releases the state of the run to whose log the position belongs, and which another run replaces that starts on
    /// another core. The changes up to now are in that state.
    func release(runAt position: FilePosition) -> FileHandoverState.RunState? {
        if !handoverState.isOver, !handoverState.isQueueUnread, run(at: position) != nil { readNow() }
        return run(at: position)?.leaveToReplacement()
    }

    /// Removes roots, except those that a run has taken over.
    func removeAll(of numbers: [Int32], but kept: [Int32]) {
        for number in numbers where !kept.contains(number) { remove(number) }
    }

    func nextNumber() -> Int32 {
        lastNumber += 1
        return lastNumber
    }

    func remove(_ number: Int32) {
        defer { if roots.isEmpty { forgetMounts() } }
        guard !handoverState.isOver else { return roots[number] = nil }
        guard let root = roots.removeValue(forKey: number) else { return }
        willChange()
        if root.tree != nil { root.removeAll(below: FileTree.root, emitting: false, isSynthetic: false) }
        for watch in root.ancestorWatches.keys { unwatch(watch, number, FileTree.none) }
    }

    /// Begins a new moment: another event causes the changes from now on.
    func beginMoment() {
        moment += 1
        willChange()
    }

    /// Examines the file at a path, once for all changes of a moment.
    func creationStatus(of path: BytePath) -> FileStatus? {
        if let lastBirth, lastBirth.moment == moment, lastBirth.path == path { return lastBirth.birth }
        let birth = FileStatus(of: path, unfollowed: identity(ofUnfollowed:))
        lastBirth = (moment, path, birth)
        return birth
    }

    /// Returns the name of a change, which is the same for all runs that emit it.
    func name(of change: FileChange) -> String { "\(id):\(moment):\(change.kind.rawValue):\(change.path.text)" }

    func degraded(_ degradation: FileDegradation) {
        whenDegraded(degradation)
    }

    func open() throws(SystemError) {
        if handoverState.isOver { throw SystemError(ESHUTDOWN, "watching files") }
        guard descriptor < 0 else { return }
        descriptor = try Descriptor(
            inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)), "making an inotify descriptor"
        ).release()
        listen()
    }

    // MARK: watches

    func watch(_ directory: BytePath, _ mask: UInt32, _ root: Int32, _ node: FileTree.Node) -> Result<
        Int32, SystemError
    > {
        do throws(SystemError) { try open() } catch { return .failure(error) }
        let watch = directory.withCString { inotify_add_watch(descriptor, $0, mask | Self.watchFlags) }
        guard watch >= 0 else { return .failure(SystemError.last("watching \(directory)")) }
        own(watch, root, node)
        return .success(watch)
    }

    func isOwned(_ watch: Int32) -> Bool { owners.first(of: watch) != nil }

    func own(_ watch: Int32, _ root: Int32, _ node: FileTree.Node) {
        owners.add(WatchOwners.Owner(root: root, node: node), of: watch)
    }

    func unwatch(_ watch: Int32, _ root: Int32, _ node: FileTree.Node) {
        guard watch >= 0, owners.remove(WatchOwners.Owner(root: root, node: node), of: watch) else { return }
        inotify_rm_watch(descriptor, watch)
    }
}
