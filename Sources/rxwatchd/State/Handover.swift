import Glibc
import RxLinux

/// The handover of watched files to the next process: the kernel's queue of changes, and the table of watched files.
///
/// The service manager keeps both across a restart and a crash, so that changes between two processes are emitted. If
/// it keeps nothing, the state directory has the table alone, and the next process emits the differences from it.
struct Handover: Sendable {
    /// The name of the descriptors in the service manager's store.
    private static let name = "files"

    /// The file of the table; `nil` without a state directory.
    private let path: BytePath?

    init(stateDirectory: String?) {
        path = stateDirectory.map { BytePath("\($0)/files.table") }
    }

    /// The handover of the previous process; `nil` if there is none.
    private func previousProcess(_ recorder: Recorder) throws(SystemError) -> FileHandover? {
        let passed = try ServiceManager.takePassedDescriptors().filter { $0.name == Self.name }
        return FileHandover(taking: passed.map(\.descriptor)) ?? path.flatMap { saved(at: $0, recorder) }
    }

    /// The saved table. A damaged one is renamed.
    private func saved(at path: BytePath, _ recorder: Recorder) -> FileHandover? {
        if let handover = FileHandover(savedAt: path) { return handover }
        let aside = "\(path).damaged"
        if rename("\(path)", aside) == 0 {
            let error = "the table of watched files is damaged, or of another version"
            recorder.record(
                .error, .warning,
                "\(error); it is renamed to \(aside), and changes since the previous process are not found",
                [.error: error, .errorType: "WatchSnapshot"])
        }
        return nil
    }

    /// A watcher that continues from the handover of the previous process, or starts anew if that cannot be used.
    func watcher(_ recorder: Recorder) -> FileWatcher {
        var previous: FileHandover?
        recorder.attempt("receiving the watches of the previous process") { previous = try previousProcess(recorder) }
        return FileWatcher(resuming: previous, savingTo: path)
    }

    /// Stores the handover with the service manager and in the state directory. Called when everything is watched.
    func store(_ watcher: FileWatcher) throws(SystemError) {
        watcher.finishResuming()
        if !watcher.isResumed {
            try ServiceManager.forget(named: Self.name)
            let handover = try watcher.handover()
            defer { withExtendedLifetime(handover) {} }
            try ServiceManager.store(handover.descriptors, name: Self.name)
        }
        try save(watcher)
    }

    /// Stops watching and saves the table for the next process.
    func leave(_ watcher: FileWatcher) throws(SystemError) {
        watcher.stop()
        try save(watcher)
    }

    private func save(_ watcher: FileWatcher) throws(SystemError) {
        if let path { try watcher.save(to: path) }
    }
}
