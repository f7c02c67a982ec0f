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
    private(set) var descriptor: Int32 = -1
    private var roots: [Int32: WatchedRoot] = [:]
    private var lastNumber: Int32 = 0
    private var owners: [Int32: Owner] = [:]
    private var moreOwners: [Int32: [Owner]] = [:]
    private var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    private var nextLook: ContinuousClock.Instant?

    init(_ whenDegraded: @escaping @Sendable (FileDegradation) -> Void) {
        self.whenDegraded = whenDegraded
        alarm = Alarm(on: queue)
    }

    deinit {
        alarm.cancel()
        reader?.dispose()
    }

    var watchCount: Int { owners.count }
    var degradations: [FileDegradation] { roots.values.compactMap(\.degradation) }

    // MARK: roots

    /// - Returns: what the root is known by; throws where nothing can be watched at all.
    func add(
        _ path: BytePath, _ request: FileRequest, _ tell: @escaping (FileChange) -> Void
    ) throws(SystemError) -> Int32 {
        try open()
        lastNumber += 1
        let root = WatchedRoot(path, request, lastNumber, self, tell)
        roots[lastNumber] = root
        root.arm()
        scheduleTick()
        return lastNumber
    }

    func remove(_ number: Int32) {
        guard let root = roots.removeValue(forKey: number) else { return }
        if root.tree != nil { root.removeAll(below: FileTree.root, telling: false, isSynthetic: false) }
        for watch in root.guards.keys { unwatch(watch, number, FileTree.none) }
    }

    func degraded(_ degradation: FileDegradation) {
        whenDegraded(degradation)
    }

    private func open() throws(SystemError) {
        guard descriptor < 0 else { return }
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw SystemError.last("making an inotify descriptor (fs.inotify.max_user_instances limits them)")
        }
        reader = ReadableDescriptor(descriptor, on: queue) { [weak self] in self?.read() }
    }

    // MARK: watches

    func watch(_ directory: BytePath, _ mask: UInt32, _ root: Int32, _ node: FileTree.Node) -> Result<
        Int32, SystemError
    > {
        let watch = directory.withCString { inotify_add_watch(descriptor, $0, mask | Self.manners) }
        guard watch >= 0 else { return .failure(SystemError.last("watching \(directory)")) }
        let owner = Owner(root: root, node: node)
        if let first = owners[watch] {
            if first != owner, moreOwners[watch]?.contains(owner) != true {
                moreOwners[watch, default: []].append(owner)
            }
        } else {
            owners[watch] = owner
        }
        return .success(watch)
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
    private func read() {
        for _ in 0..<16 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else {
                for root in roots.values { root.drained() }
                break
            }
            buffer.withUnsafeBytes { all in
                InotifyEvent.decode(UnsafeRawBufferPointer(rebasing: all[..<count])) { take($0) }
            }
            finish()
        }
        scheduleTick()
    }

    private func take(_ event: InotifyEvent) {
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

    private func scheduleTick() {
        let now = ContinuousClock.now
        var next: ContinuousClock.Instant?
        for root in roots.values {
            if let due = root.tick(now) { next = min(next ?? due, due) }
            guard root.isPolled else { continue }
            if root.lastLook.map({ $0 + root.request.period <= now }) ?? true {
                if root.lastLook != nil { root.rescan() }
                root.lastLook = now
            }
            let due = (root.lastLook ?? now) + root.request.period
            next = min(next ?? due, due)
        }
        guard let next else { return alarm.cancel() }
        alarm.set(after: max(.milliseconds(1), next - .now)) { [weak self] in self?.scheduleTick() }
    }
}
