import Dispatch
import RxEngine
import Synchronization

extension Journal {
    /// Creates an observable of the entries of a journal that match a query, delivered on `queue`.
    ///
    /// It continues through rotation and vacuuming: it reads new files, and skips entries that were deleted before they
    /// were delivered. It completes only if the query does not follow the journal. It fails with a ``SystemError`` if
    /// the journal cannot be opened or read, or the query is invalid. A journal whose files this process may not read
    /// at all is an error, not an empty one.
    public static func entries(
        _ query: JournalQuery, on queue: DispatchQueue = DispatchQueue(label: "rx.journal")
    ) -> Observable<JournalEntry> {
        readings(query, on: queue).compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    }

    /// Creates an observable of the entries of a journal, and of where the reading starts and when it has caught up.
    ///
    /// It completes and fails as ``entries(_:on:)``.
    ///
    /// - Parameters:
    ///   - query: the entries to emit.
    ///   - queue: the serial queue that reads the journal and emits.
    ///   - barriers: the barriers to emit.
    ///   - onUnanswered: called, on any thread, if the journal is on a network file system that does not answer within a
    ///     second. Reading starts when it does.
    public static func readings(
        _ query: JournalQuery, on queue: DispatchQueue = DispatchQueue(label: "rx.journal"),
        barriers: BarrierStreams? = nil, onUnanswered: @escaping @Sendable () -> Void = {}
    ) -> Observable<JournalReading> {
        .create { observer in
            let run = JournalRun(query, observer, on: queue)
            let started = OnceWithTimeout {}
            if query.location.isRemote { started.orElse(after: FileCores.answerTimeout, onUnanswered) }
            run.start(whenStarted: { started() })
            guard let barriers else { return run }
            let key = barriers.add { [weak run] in run?.pass($0) }
            return Disposables.create {
                barriers.remove(key)
                run.dispose()
            }
        }
    }
}

/// An event of a reader of a journal.
public enum JournalReading: Sendable {
    /// The first event: reading starts after this cursor, which a later reading can also start from.
    ///
    /// `isExact` is `false` if the entry that the query was to start after no longer exists.
    case started(after: String, isExact: Bool)
    /// An entry.
    case entry(JournalEntry)
    /// All entries that were written so far have been delivered. Emitted once.
    case caughtUp
    /// All entries that were written before the barrier was passed have been delivered.
    case barrier(SyncBarrier)
}

// Unchecked: all mutable state is used on its queue only, or is atomic.
/// A subscription to the entries of a journal.
private final class JournalRun: Cancelable, @unchecked Sendable {
    /// The number of entries that are delivered before other blocks of the queue run.
    private static let batchSize = 256

    private let query: JournalQuery
    private let observer: AnyObserver<JournalReading>
    private let queue: DispatchQueue
    private let disposed = Atomic(false)
    private let watch = SerialDisposable()
    private let alarm: OneShotTimer
    private var files: JournalFiles?
    /// Whether a block that continues the reading is on the queue.
    private var isReadScheduled = false
    private var hasCaughtUp = false
    /// The barriers that were passed and are not emitted.
    private var barriers: [SyncBarrier] = []

    init(_ query: JournalQuery, _ observer: AnyObserver<JournalReading>, on queue: DispatchQueue) {
        self.query = query
        self.observer = observer
        self.queue = queue
        alarm = OneShotTimer(on: queue)
    }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    func dispose() {
        disposed.store(true, ordering: .releasing)
        watch.dispose()
        // On the queue, because it may be reading.
        queue.async { [self] in
            alarm.cancel()
            files = nil
            barriers = []
        }
    }

    /// Opens the journal and starts reading.
    ///
    /// - Parameter whenStarted: called when the journal is open, or cannot be opened.
    func start(whenStarted: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            defer { whenStarted() }
            guard !isDisposed else { return }
            attempt { () throws(SystemError) in
                let files = try JournalFiles(query)
                self.files = files
                // Watch before seeking, so that no entry that is written meanwhile is missed.
                if query.follows {
                    let descriptor = try files.watch().release()
                    watch.disposable = ReadableDescriptor(descriptor, on: queue) { self.changed() }
                }
                let isExact = try files.seek(query.start)
                whenStarted()
                observer.onNext(.started(after: files.cursor, isExact: isExact))
                try read()
            }
        }
    }

    private func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try BlockingCalls.during("reading \(query.location)", body)
        } catch {
            dispose()
            observer.onError(error)
        }
    }

    /// Emits a barrier when all entries up to now are delivered. Can be called on any thread.
    func pass(_ barrier: SyncBarrier) {
        queue.async { [self] in
            guard files != nil, !isDisposed else { return }
            barriers.removeAll(where: \.isCancelled)
            barriers.append(barrier)
            changed()
        }
    }

    private func changed() {
        guard let files, !isDisposed else { return }
        attempt { () throws(SystemError) in
            try files.process()
            if !isReadScheduled { try read() }
        }
    }

    private func read() throws(SystemError) {
        guard let files else { return }
        for _ in 0..<Self.batchSize {
            guard !isDisposed else { return }
            guard try files.next() else { return caughtUp(files) }
            if let entry = try files.entry() { observer.onNext(.entry(entry)) }
        }
        isReadScheduled = true
        queue.async { [self] in
            isReadScheduled = false
            attempt { () throws(SystemError) in try read() }
        }
    }

    private func caughtUp(_ files: JournalFiles) {
        if !hasCaughtUp {
            hasCaughtUp = true
            observer.onNext(.caughtUp)
        }
        let passed = barriers
        barriers = []
        for barrier in passed { observer.onNext(.barrier(barrier)) }
        guard query.follows else {
            dispose()
            return observer.onCompleted()
        }
        guard let pollInterval = files.pollInterval else { return }
        alarm.set(after: pollInterval) { [weak self] in self?.changed() }
    }
}
