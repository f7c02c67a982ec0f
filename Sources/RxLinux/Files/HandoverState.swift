import Dispatch

// Unchecked: used on the watcher's queue alone.
/// What a watcher has of the previous process, and keeps for the next process.
final class HandoverState: @unchecked Sendable {
    /// A request of the previous process's.
    struct Former {
        let request: FileRequest
        let roots: [WatchedRoot]
        /// Whether the kernel tells what happens there.
        var isLive = true
        /// What had happened, and nobody was told.
        let keptBack: [FileChange]
        /// What the subscriber had been told, if it kept its position.
        let log: FileLog?
    }

    struct Weak {
        weak var run: FileRun?
    }

    /// What nobody has asked for yet.
    var formers: [Former] = []
    /// Whether ``FileWatcherCore/finishResuming()`` is still to come.
    var isResuming = false
    /// Runs that have ended before that: what they know goes to the next of the same request.
    var orphans: [FileRun] = []
    /// The kernel's queue is the previous process's: it is not read before all are there that want to know.
    var isHeldUp = false
    /// The queue and the snapshot are the previous process's.
    var isResumed = false
    /// The previous process has told more than its snapshot says: what the kernel says is gone may have been told to be
    /// there.
    var isUncertain = false
    /// The watcher has stopped.
    var isOver = false
    var snapshot: WatchSnapshot?
    var runs: [Weak] = []
    /// When the snapshot is to be written.
    let writing: Alarm
    /// When nobody else is waited for.
    let waiting: Alarm
    let patience: Duration
    var isWritingDue = false
    /// Where the snapshot is saved; `nil` before it is for the first time.
    var path: BytePath?
    /// Whether that is as the snapshot is.
    var isSaved = false
    /// When it was saved last, and how long that took.
    var save: (time: ContinuousClock.Instant, cost: Duration)?
    /// How long it took to write the snapshot.
    var cost = Duration.zero

    init(on queue: DispatchQueue, _ patience: Duration) {
        writing = Alarm(on: queue)
        waiting = Alarm(on: queue)
        self.patience = patience
    }

    func cancel() {
        writing.cancel()
        waiting.cancel()
    }
}
