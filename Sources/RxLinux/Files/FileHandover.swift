import CLinux
import Glibc
import Synchronization

/// What a watcher leaves to the next process: the kernel's queue of changes, and a snapshot of what is watched.
///
/// The watcher keeps the snapshot up to date as it goes on: whoever has the descriptors, be it the service manager when
/// this process has crashed, has everything that ``FileWatcher/init(resuming:)`` needs. There the queue goes on where
/// it was left: what has happened meanwhile is told, once, as if nobody had been away.
///
/// Where the process died before the snapshot was up to date, what is there now is compared with the snapshot, the
/// differences are told, and then what is in the queue: some of it, again. Only what the process was about to tell when
/// it died, or what the queue had no room for any more, may be lost, where it is about something younger than the
/// snapshot. Where there is a snapshot alone, the differences are told.
///
///     let passed = try ServiceManager.takePassedDescriptors().filter { $0.name == "files" }
///     let before = FileHandover(taking: passed.map(\.descriptor)) ?? FileHandover(savedAt: "/var/lib/example/files")
///     let watcher = FileWatcher(resuming: before)
///     if !watcher.isResumed {
///         try ServiceManager.forget(named: "files")
///         try ServiceManager.store(watcher.handover().descriptors, name: "files")
///     }
public final class FileHandover: Sendable {
    /// The kernel's queue; -1 where there is none.
    let inotify: Int32
    let snapshot: Int32
    private let isTaken = Atomic(false)

    /// Takes over two descriptors.
    init(inotify: Int32, snapshot: Int32) {
        self.inotify = inotify
        self.snapshot = snapshot
    }

    /// Takes over what ``descriptors`` were in another process, in any order, and closes what it has no use for; `nil`
    /// where there is no whole snapshot among them.
    public convenience init?(taking descriptors: [Int32]) {
        var snapshots = descriptors.filter { WatchSnapshot.read($0) != nil }
        var queues = descriptors.filter { Self.isQueue($0) }
        for descriptor in descriptors where !snapshots.contains(descriptor) && !queues.contains(descriptor) {
            close(descriptor)
        }
        var pair: (queue: Int32, snapshot: Int32)?
        for snapshot in snapshots {
            if let queue = queues.first(where: { Self.isPair($0, snapshot) }) { pair = (queue, snapshot) }
        }
        let snapshot = pair?.snapshot ?? snapshots.last
        snapshots.removeAll { $0 == snapshot }
        queues.removeAll { $0 == pair?.queue }
        for descriptor in snapshots + queues { close(descriptor) }
        guard let snapshot else { return nil }
        for descriptor in [snapshot, pair?.queue].compactMap(\.self) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.init(inotify: pair?.queue ?? -1, snapshot: snapshot)
    }

    /// What ``FileWatcher/save(to:)`` has left in a file; `nil` where there is none, or none that is whole.
    public convenience init?(savedAt path: BytePath) {
        let file = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard file >= 0 else { return nil }
        guard WatchSnapshot.read(file) != nil else {
            close(file)
            return nil
        }
        self.init(inotify: -1, snapshot: file)
    }

    deinit {
        if inotify >= 0 { close(inotify) }
        close(snapshot)
    }

    /// The descriptors, for ``ServiceManager/store(_:name:dropsBroken:)``. They stay this handover's.
    public var descriptors: [Int32] { inotify < 0 ? [snapshot] : [inotify, snapshot] }

    /// The snapshot, for the first that asks: nobody can go on from the same twice.
    func take() -> WatchSnapshot.Found? {
        isTaken.exchange(true, ordering: .relaxed) ? nil : WatchSnapshot.read(snapshot)
    }

    /// Whether the queue is that of the watcher whose snapshot it is.
    var isPair: Bool { inotify >= 0 && Self.isPair(inotify, snapshot) }

    // MARK: a queue and its snapshot

    /// `IN_DELETE_SELF`, which does not come while anyone has the snapshot.
    private static let mark: UInt32 = 0x400
    /// `IN_MASK_CREATE`: not where it is watched already.
    private static let onlyNew: UInt32 = 0x1000_0000

    /// Lets everybody know that they belong together: the queue watches its snapshot.
    static func makePair(_ queue: Int32, _ snapshot: Int32) {
        inotify_add_watch(queue, name(of: snapshot), mark)
    }

    static func isPair(_ queue: Int32, _ snapshot: Int32) -> Bool {
        let watch = inotify_add_watch(queue, name(of: snapshot), mark | onlyNew)
        if watch < 0 { return errno == EEXIST }
        inotify_rm_watch(queue, watch)
        return false
    }

    private static func isQueue(_ descriptor: Int32) -> Bool {
        var target = [CChar](repeating: 0, count: 64)
        let count = readlink(name(of: descriptor), &target, target.count)
        return count > 0 && target.prefix(count).elementsEqual("anon_inode:inotify".utf8.map { CChar($0) })
    }

    private static func name(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}
