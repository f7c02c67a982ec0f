import Dispatch

// Unchecked: used only on the watcher's queue.
/// The state that a watcher takes over from the previous process and keeps for the next one.
final class FileHandoverState: @unchecked Sendable {
    /// The state of a run, by which another run can resume it.
    struct RunState {
        let request: FileRequest
        let roots: [WatchedRoot]
        /// Whether the kernel's watches of the roots exist.
        var isLive = true
        /// The changes that were found and not emitted.
        var pending: [FileChange]
        /// The changes that the subscriber has received, if it stores its position.
        var log: FileLog?
    }

    /// A weak reference to a run.
    struct WeakRun {
        weak var run: FileRun?
    }

    /// The phases of a watcher, in their order. Without a previous process the first is ``running``.
    enum Phase {
        /// Runs resume those of the previous process, until ``FileWatcherCore/finishResuming()``. `isQueueUnread`: the
        /// kernel's queue is that of the previous process, and is not read before all runs have subscribed.
        case resuming(isQueueUnread: Bool)
        /// No further run resumes one of the previous process, whose queue is not read yet.
        case queueUnread
        case running
        /// The watcher has stopped.
        case over
    }

    /// The process that has made the queue and the snapshot.
    private enum Origin {
        /// This process.
        case own
        /// The previous process, whose snapshot has every change that it has emitted, or whose events are read.
        case previous
        /// The previous process, which may have emitted changes that its snapshot lacks.
        case previousWithUnknownChanges
    }

    /// The runs of the previous process that no run of this one has resumed yet.
    var previousRuns: [RunState] = []
    /// Runs that have ended while the watcher was resuming: the next run of the same request takes over their state.
    var endedRuns: [FileRun] = []
    private(set) var phase = Phase.running
    private var origin = Origin.own
    var snapshot: WatchSnapshot?
    var runs: [WeakRun] = []
    /// The timer for writing the snapshot.
    let writeAlarm: OneShotTimer
    /// The timer that finishes resuming, if there are no further subscriptions.
    let resumeAlarm: OneShotTimer
    let subscribeTimeout: Duration
    var isWritingDue = false
    /// The file in which the snapshot is saved; `nil` if it is not saved.
    var path: BytePath?
    /// The changes since the snapshot was saved, by this process or, before its first save, by the previous one.
    var journal: ChangeJournal?
    /// Whether the saved snapshot is up to date.
    var isSaved = false
    /// The time and the duration of the latest save.
    var save: (time: SuspendingClock.Instant, cost: Duration)?
    /// The duration of the latest writing of the snapshot.
    var cost = Duration.zero

    init(on queue: DispatchQueue, _ subscribeTimeout: Duration) {
        writeAlarm = OneShotTimer(on: queue)
        resumeAlarm = OneShotTimer(on: queue)
        self.subscribeTimeout = subscribeTimeout
    }

    var isResuming: Bool { if case .resuming = phase { true } else { false } }
    var isOver: Bool { if case .over = phase { true } else { false } }

    /// Whether the kernel's queue is that of the previous process and is not read yet.
    var isQueueUnread: Bool {
        switch phase {
        case .resuming(let isQueueUnread): isQueueUnread
        case .queueUnread: true
        case .running, .over: false
        }
    }

    /// Whether the queue and the snapshot are those of the previous process.
    var isResumed: Bool { origin != .own }

    /// Whether the previous process may have emitted changes that its snapshot lacks. The removal of a file that is not
    /// in the tree is then emitted, too.
    var isUncertain: Bool { origin == .previousWithUnknownChanges }

    /// Starts to resume the runs of the previous process.
    func beginResuming() { phase = .resuming(isQueueUnread: false) }

    /// Takes over the queue and the snapshot of the previous process, while resuming.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot.
    ///   - lacksChanges: whether the previous process may have emitted changes that the snapshot lacks.
    func takeOver(_ snapshot: WatchSnapshot, lacksChanges: Bool) {
        self.snapshot = snapshot
        origin = lacksChanges ? .previousWithUnknownChanges : .previous
        phase = .resuming(isQueueUnread: true)
    }

    /// Ends the resuming of runs.
    func endResuming() { phase = isQueueUnread ? .queueUnread : .running }

    /// Notes that all events in the queue are read.
    func queueIsRead() {
        if isUncertain { origin = .previous }
    }

    /// Notes that all runs have subscribed: the queue may be read.
    func allHaveSubscribed() { phase = .running }

    func stop() { phase = .over }

    func cancel() {
        writeAlarm.cancel()
        resumeAlarm.cancel()
        journal?.end()
    }
}
