import Glibc
import RxLinux

/// What one process of the daemon leaves to the next: what the kernel has to say about files, and what is watched.
///
/// The service manager keeps it across a restart and a crash, so that changes made while nobody was there are told all the
/// same. Where there is none, or it keeps nothing, the state directory has the table alone: what is different is told.
struct Succession: Sendable {
    /// What the service manager keeps it under.
    private static let name = "files"

    /// The table's file; `nil` where there is no state directory.
    private let path: BytePath?

    init(stateDirectory: String? = getenv("STATE_DIRECTORY").map { String(cString: $0) }) {
        path = stateDirectory.map { BytePath("\($0)/files.table") }
    }

    /// What the process before has left.
    func predecessor() throws(SystemError) -> FileHandover? {
        let passed = try ServiceManager.takePassedDescriptors().filter { $0.name == Self.name }
        return FileHandover(taking: passed.map(\.descriptor)) ?? path.flatMap { FileHandover(savedAt: $0) }
    }

    /// Has the service manager keep what a successor needs, as soon as everything is watched.
    func keep(_ watcher: FileWatcher) throws(SystemError) {
        watcher.finishResuming()
        if !watcher.isResumed {
            try ServiceManager.forget(named: Self.name)
            let handover = try watcher.handover()
            defer { withExtendedLifetime(handover) {} }
            try ServiceManager.store(handover.descriptors, name: Self.name)
        }
        try save(watcher)
    }

    /// Leaves everything as it is, for the successor to go on from.
    func leave(_ watcher: FileWatcher) throws(SystemError) {
        watcher.stop()
        try save(watcher)
    }

    private func save(_ watcher: FileWatcher) throws(SystemError) {
        if let path { try watcher.save(to: path) }
    }
}
