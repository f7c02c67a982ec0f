import CLinux
import Glibc
import Synchronization

/// A watcher's state for the next process: the kernel's event queue, and a snapshot of the watched files.
///
/// The watcher keeps the snapshot up to date. So a process that has the descriptors, for example from the service
/// manager after a crash, has everything that ``FileWatcher/init(resuming:savingTo:)`` needs. It continues to read the queue,
/// and emits each change since then once.
///
/// If the process died before the snapshot was up to date, the files are compared with the snapshot. The differences
/// are emitted, and then the changes in the queue, some of them a second time. The only changes that may be lost are
/// those of files younger than the snapshot: a change that the process was about to emit when it died, or that the
/// queue had no room for. With a snapshot alone, the differences are emitted. Subscribers that store their positions
/// lose nothing if the snapshot is saved, since a journal beside it has the changes that were emitted later.
///
/// File systems that may block have a queue and a snapshot of their own in ``others``.
///
///     let passed = Dictionary(grouping: try ServiceManager.takePassedDescriptors(), by: \.name)
///         .mapValues { $0.map(\.descriptor) }
///     let before = FileHandover(taking: passed) ?? FileHandover(savedAt: "/var/lib/example/files")
///     let watcher = FileWatcher(resuming: before)
///     if !watcher.isResumed {
///         for (name, descriptors) in try watcher.handover().descriptors {
///             try ServiceManager.forget(named: name)
///             try ServiceManager.store(descriptors, name: name)
///         }
///     }
public final class FileHandover: Sendable {
    /// The kernel's queue; -1 if there is none.
    let inotify: Int32
    let snapshot: Int32
    /// The queues and snapshots of the file systems that may block, by names.
    let others: [String: FileHandover]
    private let isTaken = Atomic(false)

    /// Takes ownership of the two descriptors.
    init(inotify: Int32, snapshot: Int32, others: [String: FileHandover] = [:]) {
        self.inotify = inotify
        self.snapshot = snapshot
        self.others = others
    }

    /// The start of the names of descriptors.
    private static let name = "files"

    /// Whether a name is one of ``descriptors``.
    public static func isName(_ name: String) -> Bool { name == Self.name || name.hasPrefix("\(Self.name)-") }

    /// Takes ownership of those of the descriptors that are the ``descriptors`` of another process.
    ///
    /// They are found by their names, and those of them that are not needed are closed. `nil` if there is no complete
    /// snapshot of the root directory's file system among them.
    public convenience init?(taking descriptors: [String: [Int32]]) {
        var others: [String: FileHandover] = [:]
        for (name, descriptors) in descriptors where name.hasPrefix("\(Self.name)-") {
            others[String(name.dropFirst(Self.name.count + 1))] = FileHandover(taking: descriptors)
        }
        self.init(taking: descriptors[Self.name] ?? [], others: others)
    }

    /// Takes ownership of a queue and a snapshot among the descriptors, in any order, and closes the others; `nil` if
    /// there is no complete snapshot among them.
    convenience init?(taking descriptors: [Int32], others: [String: FileHandover] = [:]) {
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
        self.init(inotify: pair?.queue ?? -1, snapshot: snapshot, others: others)
    }

    /// Opens a snapshot that ``FileWatcher/save(to:)`` has written; `nil` if it is missing or incomplete.
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

    /// The descriptors by the names under which to store them.
    ///
    /// They are for ``ServiceManager/store(_:name:dropsBroken:)``. This handover still owns them.
    public var descriptors: [String: [Int32]] {
        var all = [Self.name: pair]
        for (name, other) in others { all["\(Self.name)-\(name)"] = other.pair }
        return all
    }

    private var pair: [Int32] { inotify < 0 ? [snapshot] : [inotify, snapshot] }

    /// Returns the snapshot to the first caller only: two watchers cannot resume from the same snapshot.
    func take() -> WatchSnapshot.StoredSnapshot? {
        isTaken.exchange(true, ordering: .relaxed) ? nil : WatchSnapshot.read(snapshot)
    }

    /// Whether the snapshot has runs, which another process may resume.
    var hasRuns: Bool {
        guard let found = WatchSnapshot.read(snapshot) else { return false }
        var reader = WatchSnapshotReader(found.bytes)
        guard (try? reader.bytes()) != nil, (try? reader.integer(UInt64.self)) != nil else { return false }
        return (try? reader.integer(UInt32.self)).map { $0 > 0 } ?? false
    }

    /// Whether the queue and the snapshot are those of the same watcher.
    var isPair: Bool { inotify >= 0 && Self.isPair(inotify, snapshot) }

    // MARK: pairs of queue and snapshot

    /// `IN_DELETE_SELF`, which the kernel never reports while the snapshot is open.
    private static let mark: UInt32 = 0x400
    /// `IN_MASK_CREATE`: adding a watch fails if the file is watched already.
    private static let onlyNew: UInt32 = 0x1000_0000

    /// Marks a queue and a snapshot as a pair: the queue watches its snapshot.
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
