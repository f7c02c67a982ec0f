import Dispatch
import Glibc
import RxEngine
import RxLinux

/// The handover of watched files to the next process: the kernel's queues of changes, and the snapshots of watched files.
///
/// The service manager keeps both across a restart and a crash, so that changes between two processes are emitted. If
/// it keeps nothing, the state directory has the snapshots alone, and the next process emits the differences from them.
struct Handover: Sendable {
    /// The file of the snapshot; `nil` without a state directory.
    private let path: BytePath?
    /// The names of the descriptors in the service manager's store; `nil` after ``leave(_:)``, from which on they stay
    /// there.
    private let stored = Locked<Set<String>?>([])
    /// The socket of the status page that the service manager has passed; `nil` for none.
    let pageSocket: Int32?
    private let passed: [ServiceManager.PassedDescriptor]
    /// Stores and leaves one after the other.
    private let queue = DispatchQueue(label: "rx.handover")

    /// Takes the descriptors that the service manager has passed to this process.
    init(stateDirectory: String?, _ recorder: Recorder) {
        path = stateDirectory.map { BytePath("\($0)/files.table") }
        var passed: [ServiceManager.PassedDescriptor] = []
        recorder.attempt("receiving descriptors from the service manager") {
            passed = try ServiceManager.takePassedDescriptors()
        }
        pageSocket = passed.first { $0.name == PageListener.socketName }?.descriptor
        self.passed = passed.filter { FileHandover.isName($0.name) }
    }

    /// The handover of the previous process; `nil` if there is none.
    private func previousProcess(_ recorder: Recorder) -> FileHandover? {
        let descriptors = Dictionary(grouping: passed, by: \.name).mapValues { $0.map(\.descriptor) }
        stored.withLock { $0 = Set(descriptors.keys) }
        return FileHandover(taking: descriptors) ?? path.flatMap { saved(at: $0, recorder) }
    }

    /// The saved snapshot. A damaged one is renamed.
    private func saved(at path: BytePath, _ recorder: Recorder) -> FileHandover? {
        if let handover = FileHandover(savedAt: path) { return handover }
        let aside = "\(path).damaged"
        if rename("\(path)", aside) == 0 {
            let error = "the snapshot of watched files is damaged, or of another version"
            recorder.record(
                .error, .warning,
                "\(error); it is renamed to \(aside), and changes since the previous process are not found",
                [.error: error, .errorType: "WatchSnapshot"])
        }
        return nil
    }

    /// A watcher that continues from the handover of the previous process, or starts anew if that cannot be used.
    func watcher(_ recorder: Recorder) -> FileWatcher {
        FileWatcher(resuming: previousProcess(recorder), savingTo: path)
    }

    /// Stores the handover with the service manager and in the state directory. Called when everything is watched, and
    /// again when another file system is.
    func store(_ watcher: FileWatcher) throws(SystemError) {
        try inOrder { () throws(SystemError) in
            guard let before = stored.withLock({ $0 }) else { return }
            watcher.finishResuming()
            if !watcher.isResumed {
                for name in before { try ServiceManager.forget(named: name) }
                let handover = try watcher.handover()
                defer { withExtendedLifetime(handover) {} }
                for (name, descriptors) in handover.descriptors {
                    try ServiceManager.forget(named: name)
                    try ServiceManager.store(descriptors, name: name)
                    stored.withLock { _ = $0?.insert(name) }
                }
            }
            try save(watcher)
        }
    }

    /// Stops watching and saves the snapshot for the next process.
    func leave(_ watcher: FileWatcher) throws(SystemError) {
        try inOrder { () throws(SystemError) in
            stored.withLock { $0 = nil }
            watcher.stop()
            try save(watcher)
        }
    }

    private func save(_ watcher: FileWatcher) throws(SystemError) {
        if let path { try watcher.save(to: path) }
    }

    private func inOrder(_ body: () throws(SystemError) -> Void) throws(SystemError) {
        try queue.sync { Result { () throws(SystemError) in try body() } }.get()
    }
}
