import Dispatch
import RxEngine
import Synchronization

extension Journal {
    /// The entries of a journal that a query asks for, told on `queue`.
    ///
    /// Goes on through rotation and vacuuming: files that come are read too, entries that went before they were told
    /// are left out. Errors are ``SystemError``: the journal cannot be opened or read, or the query makes no sense. A
    /// journal with files that this process may not read, and none that it may, is an error rather than empty.
    public static func entries(
        _ query: JournalQuery, on queue: DispatchQueue = DispatchQueue(label: "rx.journal")
    ) -> Observable<JournalEntry> {
        readings(query, on: queue).compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    }

    /// As ``entries(_:on:)``, and between the entries where the reading starts and when all that was written has been
    /// read.
    public static func readings(
        _ query: JournalQuery, on queue: DispatchQueue = DispatchQueue(label: "rx.journal")
    ) -> Observable<JournalReading> {
        .create { observer in
            let run = JournalRun(query, observer, on: queue)
            run.start()
            return run
        }
    }
}

/// What a reader of a journal meets.
public enum JournalReading: Sendable {
    /// The first: reading starts after this cursor, which a later reading can start from, too. `isExact` is `false`
    /// where the entry that the query was to start after has gone.
    case started(after: String, isExact: Bool)
    /// An entry.
    case entry(JournalEntry)
    /// Everything that was written by now has been read. Once.
    case caughtUp
}

// Unchecked: touched on its queue alone, but for what is atomic.
/// One reading of a journal.
private final class JournalRun: Cancelable, @unchecked Sendable {
    /// How many entries are told before others on the queue get their turn.
    private static let batch = 256

    private let query: JournalQuery
    private let observer: AnyObserver<JournalReading>
    private let queue: DispatchQueue
    private let disposed = Atomic(false)
    private let watch = SerialDisposable()
    private let alarm: Alarm
    private var files: JournalFiles?
    /// Whether a turn on the queue is on its way.
    private var isReading = false
    private var hasCaughtUp = false

    init(_ query: JournalQuery, _ observer: AnyObserver<JournalReading>, on queue: DispatchQueue) {
        self.query = query
        self.observer = observer
        self.queue = queue
        alarm = Alarm(on: queue)
    }

    var isDisposed: Bool { disposed.load(ordering: .acquiring) }

    func dispose() {
        disposed.store(true, ordering: .releasing)
        watch.dispose()
        // The queue may be reading.
        queue.async { [self] in
            alarm.cancel()
            files = nil
        }
    }

    func start() {
        queue.async { [self] in
            guard !isDisposed else { return }
            attempt { () throws(SystemError) in
                let files = try JournalFiles(query)
                self.files = files
                // Before the place is looked for: what is written meanwhile shows.
                if query.follows {
                    let descriptor = try files.watch().release()
                    watch.disposable = ReadableDescriptor(descriptor, on: queue) { self.changed() }
                }
                let isExact = try files.seek(query.start)
                observer.onNext(.started(after: files.cursor, isExact: isExact))
                try read()
            }
        }
    }

    private func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
        } catch {
            dispose()
            observer.onError(error)
        }
    }

    private func changed() {
        guard let files, !isDisposed else { return }
        attempt { () throws(SystemError) in
            try files.process()
            if !isReading { try read() }
        }
    }

    private func read() throws(SystemError) {
        guard let files else { return }
        for _ in 0..<Self.batch {
            guard !isDisposed else { return }
            guard try files.next() else { return caughtUp(files) }
            if let entry = try files.entry() { observer.onNext(.entry(entry)) }
        }
        isReading = true
        queue.async { [self] in
            isReading = false
            attempt { () throws(SystemError) in try read() }
        }
    }

    private func caughtUp(_ files: JournalFiles) {
        if !hasCaughtUp {
            hasCaughtUp = true
            observer.onNext(.caughtUp)
        }
        guard query.follows else {
            dispose()
            return observer.onCompleted()
        }
        guard let patience = files.patience else { return }
        alarm.set(after: patience) { [weak self] in self?.changed() }
    }
}
