import Glibc
import RxLinux

/// What one process of the daemon leaves to the next about files: the kernel's queue of changes, and the table of what
/// is watched.
///
/// The service manager keeps both across a restart and a crash, so that changes made between two processes are
/// reported. Where it keeps nothing, the state directory has the table alone, and the next process reports what differs
/// from it.
struct Handover: Sendable {
    /// The name under which the service manager keeps the descriptors.
    private static let name = "files"

    /// The table's file; `nil` where there is no state directory.
    private let path: BytePath?

    init(stateDirectory: String?) {
        path = stateDirectory.map { BytePath("\($0)/files.table") }
    }

    /// What the previous process left.
    private func previousProcess(_ recorder: Recorder) throws(SystemError) -> FileHandover? {
        let passed = try ServiceManager.takePassedDescriptors().filter { $0.name == Self.name }
        return FileHandover(taking: passed.map(\.descriptor)) ?? path.flatMap { saved(at: $0, recorder) }
    }

    /// The saved table; one that is damaged is set aside.
    private func saved(at path: BytePath, _ recorder: Recorder) -> FileHandover? {
        if let handover = FileHandover(savedAt: path) { return handover }
        let aside = "\(path).damaged"
        if rename("\(path)", aside) == 0 {
            let error = "the table of watched files is damaged, or of another version"
            recorder.record(
                .error, .warning,
                "\(error); it is kept as \(aside), and changes since the previous process are not found",
                [.error: error, .errorType: "WatchSnapshot"])
        }
        return nil
    }

    /// A watcher that goes on from what the previous process left; with nothing of that if it cannot be taken over.
    func watcher(_ recorder: Recorder) -> FileWatcher {
        var previous: FileHandover?
        recorder.attempt("taking over what was watched") { previous = try previousProcess(recorder) }
        return FileWatcher(resuming: previous, savingTo: path)
    }

    /// Has the service manager store what the next process needs. Called when everything is watched.
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
