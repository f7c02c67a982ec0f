import CLinux
import Dispatch
import Glibc
import RxEngine

// Unchecked: used on its queue alone, but for what is said to be otherwise.
/// What a watcher does, on its queue.
final class FileWatcherCore: @unchecked Sendable {
    /// What is asked of a directory whose files are told of.
    static let everything = names | UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_ATTRIB)
    /// What is asked of one that leads to another.
    static let names =
        UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF)
        | UInt32(IN_MOVE_SELF)
    /// `IN_ONLYDIR`, `IN_EXCL_UNLINK` and `IN_MASK_ADD`: a directory may lead to one root and be in another.
    private static let manners: UInt32 = 0x0100_0000 | 0x0400_0000 | 0x2000_0000

    struct Owner: Hashable {
        let root: Int32
        let node: FileTree.Node
    }

    let queue = DispatchQueue(label: "rx.files")
    private let whenDegraded: @Sendable (FileDegradation) -> Void
    private let alarm: Alarm
    private var reader: ReadableDescriptor?
    /// What is mounted, while anything is watched.
    var mounts: MountTable?
    /// What of that has to be looked at now and then.
    var polledMounts: [Mount] = []
    /// How changes in what is mounted are found.
    var kindOfMount: (String) -> FileSystemKind = FileSystemKind.init(type:)
    var descriptor: Int32 = -1
    var roots: [Int32: WatchedRoot] = [:]
    private var lastNumber: Int32 = 0
    let handoverState: HandoverState
    private var owners: [Int32: Owner] = [:]
    private var moreOwners: [Int32: [Owner]] = [:]
    private var buffer: [UInt8]
    /// Whether everything was read, when something was last.
    private(set) var isDrained = true
    /// Tells what this watcher finds from what others do.
    private let id = UInt64.random(in: 1 ... .max)
    /// A counter of what changes may follow from.
    private var moment: UInt64 = 0
    /// When the last event was read: what several roots do because of it, they do at the same time.
    private(set) var eventTime = ContinuousClock.now

    init(
        _ handover: FileHandover?, _ room: Int, _ patience: Duration,
        _ whenDegraded: @escaping @Sendable (FileDegradation) -> Void
    ) {
        self.whenDegraded = whenDegraded
        buffer = [UInt8](repeating: 0, count: room)
        alarm = Alarm(on: queue)
        handoverState = HandoverState(on: queue, patience)
        if let handover { takeOver(handover) }
    }

    deinit {
        alarm.cancel()
        handoverState.cancel()
        if let reader { reader.dispose() } else if descriptor >= 0 { close(descriptor) }
    }

    var watchCount: Int { owners.count }
    var degradations: [FileDegradation] { roots.values.compactMap(\.degradation) }

    // MARK: roots

    /// - Returns: what the root is known by.
    func add(_ path: BytePath, _ request: FileRequest, _ tell: @escaping (FileChange) -> Void) -> Int32 {
        willChange()
        let root = WatchedRoot(path, request, nextNumber(), self, tell)
        roots[root.number] = root
        watchMounts()
        root.arm()
        root.findPolledParts()
        scheduleTick()
        return root.number
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
        if root.tree != nil { root.removeAll(below: FileTree.root, telling: false, isSynthetic: false) }
        for watch in root.guards.keys { unwatch(watch, number, FileTree.none) }
    }

    /// The name of a change for all runs that are told of it.
    func name(of change: FileChange) -> String { "\(id):\(moment):\(change.kind.rawValue):\(change.path)" }

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

    /// Begins to take in what the kernel says.
    func listen() {
        guard reader == nil else { return }
        reader = ReadableDescriptor(descriptor, on: queue) { [weak self] in self?.read() }
    }

    /// Takes in nothing more.
    func deafen() {
        alarm.cancel()
        if let reader = reader.take() { reader.dispose() } else if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    // MARK: watches

    func watch(_ directory: BytePath, _ mask: UInt32, _ root: Int32, _ node: FileTree.Node) -> Result<
        Int32, SystemError
    > {
        do throws(SystemError) { try open() } catch { return .failure(error) }
        let watch = directory.withCString { inotify_add_watch(descriptor, $0, mask | Self.manners) }
        guard watch >= 0 else { return .failure(SystemError.last("watching \(directory)")) }
        own(watch, root, node)
        return .success(watch)
    }

    func isOwned(_ watch: Int32) -> Bool { owners[watch] != nil }

    func own(_ watch: Int32, _ root: Int32, _ node: FileTree.Node) {
        let owner = Owner(root: root, node: node)
        if let first = owners[watch] {
            if first != owner, moreOwners[watch]?.contains(owner) != true {
                moreOwners[watch, default: []].append(owner)
            }
        } else {
            owners[watch] = owner
        }
    }

    func unwatch(_ watch: Int32, _ root: Int32, _ node: FileTree.Node) {
        guard watch >= 0, let first = owners[watch] else { return }
        let owner = Owner(root: root, node: node)
        if var more = moreOwners[watch] {
            if first == owner { owners[watch] = more.removeFirst() } else { more.removeAll { $0 == owner } }
            moreOwners[watch] = more.isEmpty ? nil : more
        } else if first == owner {
            owners[watch] = nil
            inotify_rm_watch(descriptor, watch)
        }
    }

    // MARK: events

    /// Takes what has happened, as much as there is; not for ever, so that others on the queue have their turn.
    func read() {
        guard !handoverState.isOver else { return }
        willChange()
        isDrained = false
        for _ in 0..<16 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else {
                for root in roots.values { root.drained() }
                handoverState.isUncertain = false
                isDrained = true
                break
            }
            buffer.withUnsafeBytes { all in
                InotifyEvent.decode(UnsafeRawBufferPointer(rebasing: all[..<count])) { take($0) }
            }
            finish()
        }
        scheduleTick()
    }

    /// Takes what has happened up to now.
    func readNow() {
        if descriptor >= 0 { read() }
    }

    private func take(_ event: InotifyEvent) {
        moment += 1
        eventTime = .now
        if event.has(IN_Q_OVERFLOW) {
            for root in roots.values.sorted(by: { $0.number < $1.number }) { root.overflowed() }
            return
        }
        guard let first = owners[event.watch] else { return }
        let more = moreOwners[event.watch]
        if event.has(IN_IGNORED) {
            owners[event.watch] = nil
            moreOwners[event.watch] = nil
        }
        hand(event, to: first)
        if let more { for owner in more { hand(event, to: owner) } }
    }

    private func hand(_ event: InotifyEvent, to owner: Owner) {
        guard let root = roots[owner.root] else { return }
        if event.has(IN_IGNORED) {
            root.lost(event.watch, at: owner.node)
        } else {
            root.take(event, at: owner.node)
        }
    }

    private func finish() {
        for root in roots.values where root.isDue { root.check() }
    }

    // MARK: time

    func scheduleTick() {
        // What has left may have arrived, and nobody has heard of it.
        guard !handoverState.isHeldUp, !handoverState.isOver else { return }
        let now = ContinuousClock.now
        moment += 1
        var next: ContinuousClock.Instant?
        for root in roots.values {
            if root.isWaiting { willChange() }
            if let due = root.tick(now) { next = min(next ?? due, due) }
            guard root.isPolled else { continue }
            if root.lastLook.map({ $0 + root.request.period <= now }) ?? true {
                willChange()
                if root.lastLook != nil { root.lookAgain() }
                // From its end: a look may take longer than the time between two.
                root.lastLook = .now
            }
            let due = (root.lastLook ?? now) + root.request.period
            next = min(next ?? due, due)
        }
        guard let next else { return alarm.cancel() }
        alarm.set(after: max(.milliseconds(1), next - .now)) { [weak self] in self?.scheduleTick() }
    }
}
