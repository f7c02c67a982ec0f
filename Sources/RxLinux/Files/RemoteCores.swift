import Dispatch
import RxEngine
import Synchronization

// Unchecked: the lock guards all mutable state.
/// The watchers of network file systems, one for each set of mounts, on a queue of its own: a server that does not
/// answer blocks only that queue.
///
/// Each has a snapshot file of its own beside the main one. It has no part in the handover through the service manager,
/// since the kernel reports no events of these mounts.
final class RemoteCores: @unchecked Sendable {
    /// The longest wait for a server.
    static let serverTimeout = Duration.seconds(1)

    private let savingTo: BytePath?
    private let whenDegraded: @Sendable (FileDegradation) -> Void
    private let lock = Lock()
    // The lock guards the variables below.
    private var cores: [[BytePath]: FileWatcherCore] = [:]
    private var kindOfMount: @Sendable (String) -> FileSystemKind = FileSystemKind.init(type:)
    /// The cores that are saving their snapshots.
    private var saving: Set<ObjectIdentifier> = []
    private var hasResumed = false
    private var isOver = false

    init(savingTo path: BytePath?, _ whenDegraded: @escaping @Sendable (FileDegradation) -> Void) {
        savingTo = path
        self.whenDegraded = whenDegraded
    }

    /// Returns the core for a request; `nil` if the request needs no network file system.
    func core(for request: FileRequest) -> FileWatcherCore? {
        let kind: @Sendable (String) -> FileSystemKind = lock.locked { kindOfMount }
        let mounts = RemoteMounts(kind).touched(by: request)
        guard !mounts.isEmpty else { return nil }
        return lock.locked { () -> FileWatcherCore in
            if let core = cores[mounts] { return core }
            let path = savingTo.map { Self.snapshotPath(of: mounts, beside: $0) }
            let core = FileWatcherCore(
                path.flatMap { FileHandover(savedAt: $0) }, FileWatcher.defaultBufferSize,
                FileWatcher.defaultSubscribeTimeout,
                savingTo: path, isRemote: true, whenDegraded)
            core.kindOfMount = kindOfMount
            if isOver { core.handoverState.stop() }
            cores[mounts] = core
            // All other runs have started, so finish resuming right after the first run of this core.
            if hasResumed { core.queue.async { core.queue.async { core.finishResuming() } } }
            return core
        }
    }

    var all: [FileWatcherCore] { lock.locked { Array(cores.values) } }

    func setKindOfMount(_ kind: @escaping @Sendable (String) -> FileSystemKind) {
        lock.locked { kindOfMount = kind }
    }

    func finishResuming() {
        lock.locked { hasResumed = true }
        for core in all { core.queue.async { core.finishResuming() } }
    }

    /// Stops all cores, and waits for those that answer in time. The others emit nothing any more.
    func stop() {
        let all = lock.locked {
            isOver = true
            return cores
        }
        let stopping = DispatchGroup()
        for (mounts, core) in all {
            let end = BlockingCalls.begin("watching files on \(mounts.map(\.description).joined(separator: ", "))")
            core.queue.async(group: stopping) {
                _ = try? core.saveAndPlace(isUrgent: true)
                core.stop()
                end()
            }
        }
        _ = stopping.wait(timeout: .now() + Self.serverTimeout.interval)
    }

    /// Saves the snapshots of the cores that answer in time. The others emit nothing meanwhile, and their journals have
    /// the changes that they have emitted.
    ///
    /// - Returns: the time to wait before the next attempt; `nil` if all emitted changes are saved.
    func save(isUrgent: Bool) throws(SystemError) -> Duration? {
        let results = Locked<[Result<Duration?, SystemError>]>([])
        let group = DispatchGroup()
        // Leave out the cores that still save from an earlier call.
        let free = lock.locked { () -> [FileWatcherCore] in
            let free = cores.values.filter { !saving.contains(ObjectIdentifier($0)) }
            saving.formUnion(free.map { ObjectIdentifier($0) })
            return free
        }
        for core in free {
            core.queue.async(group: group) { [self] in
                let result = Result { () throws(SystemError) in try core.saveAndPlace(isUrgent: isUrgent) }
                results.withLock { $0.append(result) }
                lock.locked { _ = saving.remove(ObjectIdentifier(core)) }
            }
        }
        _ = group.wait(timeout: .now() + Self.serverTimeout.interval)
        var longest: Duration?
        for result in results.withLock({ $0 }) {
            if let span = try result.get() { longest = max(longest ?? span, span) }
        }
        return longest
    }

    private static func snapshotPath(of mounts: [BytePath], beside path: BytePath) -> BytePath {
        var name = SnapshotChecksum()
        for mount in mounts { (mount.bytes + [0]).withUnsafeBytes { name.add($0) } }
        return BytePath(bytes: path.bytes + Array(".\(String(name.value, radix: 36))".utf8))
    }
}

/// A closure that is called once: by its owner, or after a timeout.
final class OnceWithTimeout: Sendable {
    private let isDone = Atomic(false)
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    func callAsFunction() {
        if !isDone.exchange(true, ordering: .relaxed) { body() }
    }

    /// Calls `late` and the closure after `span`, if the closure was not called before.
    func orElse(after span: Duration, _ late: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + span.interval) { [weak self] in
            guard let self, !isDone.exchange(true, ordering: .relaxed) else { return }
            late()
            body()
        }
    }
}
