import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import RxStore
import Synchronization

// Unchecked: mutable state is used on the queue alone, except for notes and flags, which have a lock or are atomic.
/// The store of snapshots and notes, from which the next process continues.
final class SnapshotStore: @unchecked Sendable {
    private let onLateOpening: @Sendable (Int) -> Void
    private let onRest: @Sendable (Int) -> Void
    private var database: LazyDatabase<Connection>
    /// Whether ``snapshot()`` has failed and the database has not been opened since.
    private var isLate = false
    /// The events of the previous process that this one could not read at its start. They stay stored for the next one.
    private var undelivered: [UnsettledEvent] = []
    private let queue = DispatchQueue(label: "rx.snapshots")
    /// The latest names of sinks. They replace those of a snapshot, which may have been captured before.
    private var sinks: [String: SinkNames]?
    /// Whether the content is final: the process is stopping.
    private var isFinal = false
    private let isBusy = Atomic(false)
    private let notes = Locked(UnwrittenNotes())

    private typealias Content = (
        events: [String: UnsettledEvent], nodes: [String: NodeState], sinks: [String: SinkNames]
    )

    /// The progress of sinks that is noted and not written yet.
    private struct UnwrittenNotes {
        /// By the id of the event, with the mark under which it was noted.
        var events: [String: (event: UnsettledEvent, mark: Int64)] = [:]
        /// The current mark: new notes belong to it.
        var mark: Int64 = 0
        var isWriting = false
    }

    /// Identifies this process in notes. Notes of earlier processes are for sources that have yet to emit these events
    /// again.
    private let process: Int64
    /// The highest mark of the stored notes; `nil` if there are none.
    private var lastMark: Int64?

    // Unchecked: used on the queue alone.
    /// The open database, and its content as far as that is known.
    private final class Connection: @unchecked Sendable {
        let database: Database
        let limits: StateLimits
        /// `nil` while a transaction runs, and after one has failed: then the content is not known.
        var knownContent: Content?
        /// The ids of unsettled events with notes of an earlier process. Their progress includes these notes, so the
        /// next snapshot replaces them.
        var mergedNotes: [String]
        /// What was read when the database was opened, until it is used or something is written.
        private var found: StoredState?
        /// The keys of the rows of events that are known; `nil` if there are no others. The others stay stored.
        private var knownKeys: Set<String>?
        /// The number of events that were not read.
        let rest: Int

        init(
            in directory: String, _ limits: StateLimits, damage: String?, onDamage: (String, String) -> Void,
            onRestore: @escaping @Sendable () -> Void
        ) throws(DatabaseError) {
            self.limits = limits
            var found: StoredState = (snapshot: Snapshot(), notes: [], rest: 0)
            func read(_ database: Database) throws(DatabaseError) {
                found = try SnapshotStore.stored(in: database, within: limits)
            }
            database = try Database.open(
                StateDatabase.snapshots.path(in: directory), format: 1, largestRow: limits.row, damage: damage,
                prepare: { database throws(DatabaseError) in
                    try SnapshotStore.prepare(database)
                    // A damaged page shows when it is read.
                    try read(database)
                },
                salvage: { damaged, new throws(DatabaseError) in
                    let saved = try SnapshotSalvage(damaged, new, limits).run()
                    try read(new)
                    return saved
                }, onDamage: onDamage, onRestore: onRestore)
            knownContent = SnapshotStore.content(of: found.snapshot)
            mergedNotes = found.notes.map(\.id).filter(Set(found.snapshot.events.map(\.event.id)).contains)
            rest = found.rest
            knownKeys = rest > 0 ? knownContent.map { Set($0.events.keys) } : nil
            self.found = found
        }

        func content() throws(DatabaseError) -> Content {
            if let knownContent { return knownContent }
            var content = SnapshotStore.content(of: try stored().snapshot)
            if let knownKeys { content.events = content.events.filter { knownKeys.contains($0.key) } }
            return content
        }

        /// What the database contains.
        func stored() throws(DatabaseError) -> StoredState {
            // It may be large.
            if let found = found.take() { return found }
            return try SnapshotStore.stored(in: database, within: limits)
        }

        /// Called before notes are written.
        func dropFound() { found = nil }

        /// Called before something else is written.
        func willWrite() {
            found = nil
            knownContent = nil
        }

        /// Called when a snapshot was written.
        func wrote(_ content: Content) {
            knownContent = content
            if knownKeys != nil { knownKeys = Set(content.events.keys) }
        }
    }

    /// A store in a directory, opened at its first use, and after a failure again with each snapshot. A database that
    /// is damaged or of an unknown format is renamed; the readable rows of a damaged one are kept.
    ///
    /// - Parameters:
    ///   - directory: the state directory.
    ///   - limits: the limits on what is read.
    ///   - onDamage: called with the new path of such a database, and with its damage.
    ///   - onRestore: called when the file was deleted and has been written again.
    ///   - onLateOpening: called when the store is opened after ``snapshot()`` has failed, with the number of events of
    ///     the previous process, which stay stored for the next one.
    ///   - onRest: called by ``snapshot()`` with the number of events that there is no memory for. They stay stored for the
    ///     next process.
    init(
        openingLaterIn directory: String, _ limits: StateLimits = .ofDaemon,
        onDamage: @escaping @Sendable (String, String) -> Void,
        onRestore: @escaping @Sendable () -> Void = {}, onLateOpening: @escaping @Sendable (Int) -> Void = { _ in },
        onRest: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        process = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        self.onLateOpening = onLateOpening
        self.onRest = onRest
        database = LazyDatabase(open: { damage throws(DatabaseError) in
            try Connection(in: directory, limits, damage: damage, onDamage: onDamage, onRestore: onRestore)
        })
    }

    /// Opens the store in a directory, or throws.
    convenience init(
        in directory: String, _ limits: StateLimits = .ofDaemon, onDamage: @escaping @Sendable (String, String) -> Void
    ) throws(DatabaseError) {
        self.init(openingLaterIn: directory, limits, onDamage: onDamage)
        try queue.sync {
            Result { () throws(DatabaseError) in try use { _ in } }
        }.get()
    }

    /// Calls `body` with the database. Opens it first if it is closed, and once more if it turns out to be damaged.
    /// Called on the queue.
    private func use<Value>(_ body: (Connection) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        try database.use(retriesDamage: true) { connection throws(DatabaseError) in
            if !connection.mergedNotes.isEmpty { lastMark = lastMark ?? 0 }
            if isLate {
                undelivered = try Self.snapshot(in: connection).events
                isLate = false
                onLateOpening(undelivered.count)
            }
            return try body(connection)
        }
    }

    /// The snapshot of the previous process, with its notes. The events are in the order of their emission.
    func snapshot() throws(DatabaseError) -> Snapshot {
        try queue.sync {
            Result { () throws(DatabaseError) in
                do throws(DatabaseError) {
                    return try use { connection throws(DatabaseError) in
                        if connection.rest > 0 { onRest(connection.rest) }
                        return try Self.snapshot(in: connection)
                    }
                } catch {
                    isLate = true
                    throw error
                }
            }
        }.get()
    }

    private static func snapshot(in connection: Connection) throws(DatabaseError) -> Snapshot {
        let stored = try connection.stored()
        var snapshot = stored.snapshot
        var notes = Dictionary(stored.notes.map { ($0.id, $0) }) { $1 }
        for index in snapshot.events.indices {
            guard let note = notes.removeValue(forKey: snapshot.events[index].event.id) else { continue }
            snapshot.events[index].progress.add(note.progress)
        }
        for note in notes.values { snapshot.finished[note.source, default: [:]][note.id] = note.progress }
        return snapshot
    }

    /// Stores the last snapshot of this process: only the rows that differ are written.
    func replace(with snapshot: Snapshot) throws(DatabaseError) {
        // Behind all writes that are queued.
        try queue.sync {
            Result { () throws(DatabaseError) in
                isFinal = true
                try update(to: snapshot, nil)
            }
        }.get()
    }

    /// Begins a new mark for all further notes.
    ///
    /// - Returns: the mark before. A snapshot that is captured from now on covers all notes up to this mark.
    func mark() -> Int64 {
        notes.withLock { notes in
            defer { notes.mark += 1 }
            return notes.mark
        }
    }

    /// Drops the notes of earlier processes for a source, which has emitted everything that these may have emitted.
    /// They are deleted with the next snapshot.
    func release(_ source: String) {
        let mark = notes.withLock { $0.mark }
        queue.async { [self] in
            if isFinal { return }
            lastMark = max(lastMark ?? 0, mark)
            guard database.isOpen else { return }
            _ = try? use { connection throws(DatabaseError) in
                try connection.database.run(
                    "UPDATE finished SET process = ?1, mark = ?2 WHERE source = ?3 AND process <> ?1",
                    .integer(process), .integer(mark), .text(source))
            }
        }
    }

    /// Stores a snapshot in the background: only the rows that differ are written.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot.
    ///   - mark: the mark before its capture, whose notes it covers; `nil` if parts of it are older.
    ///   - done: called with the error, if there was one. Not called after ``replace(with:)``.
    /// - Returns: `false`, without storing it, while another snapshot is being written.
    @discardableResult
    func keep(
        _ snapshot: Snapshot, notedBefore mark: Int64? = nil,
        _ done: @escaping @Sendable (DatabaseError?) -> Void = { _ in }
    ) -> Bool {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { return false }
        queue.async { [self] in
            if isFinal { return isBusy.store(false, ordering: .releasing) }
            let result = Result { () throws(DatabaseError) in try update(to: snapshot, mark) }
            // Before the call of `done`, which may store the next snapshot.
            isBusy.store(false, ordering: .releasing)
            switch result {
            case .success: done(nil)
            case .failure(let error): done(error)
            }
        }
        return true
    }

    private func update(to snapshot: Snapshot, _ mark: Int64?) throws(DatabaseError) {
        try use { connection throws(DatabaseError) in try update(connection, to: snapshot, mark) }
    }

    private func update(
        _ connection: Connection, to snapshot: Snapshot, _ mark: Int64?
    ) throws(DatabaseError) {
        let stored = try connection.content()
        let sinks = sinks ?? snapshot.sinks
        let wanted = Self.byKey(undelivered + snapshot.events)
        let changed = wanted.filter { key, event in stored.events[key].map { !$0.isStoredLike(event) } ?? true }
        let gone = stored.events.filter { wanted[$0.key] == nil }
        let changedNodes = snapshot.nodes.filter { stored.nodes[$0] != $1 }
        let goneNodes = stored.nodes.keys.filter { snapshot.nodes[$0] == nil }
        connection.willWrite()
        let covered = mark.flatMap { mark in lastMark == nil ? nil : mark }
        let notes =
            isFinal
            ? snapshot.finished.flatMap { source, events in
                events.map { $1.row(of: $0, from: source, process, mark: 0) }
            } : []
        let isChanged = !(changed.isEmpty && gone.isEmpty && changedNodes.isEmpty && goneNodes.isEmpty)
        if isFinal || covered != nil || isChanged || stored.sinks != sinks {
            try connection.database.transaction(
                [
                    (Self.deletion, gone.values.map(\.event.key)), (Self.insertion, changed.values.map(\.row)),
                    (Self.stateDeletion, goneNodes.map { [.text($0)] }),
                    (Self.stateInsertion, changedNodes.map { $1.row(of: $0) }),
                    (
                        "DELETE FROM finished WHERE process = ? AND mark <= ?",
                        covered.map { [[.integer(process), .integer($0)]] } ?? []
                    ),
                    // Notes of this process on these events are later than the snapshot, and stay.
                    (
                        "DELETE FROM finished WHERE id = ? AND process <> ?",
                        covered == nil ? [] : connection.mergedNotes.map { [.text($0), .integer(process)] }
                    ),
                    ("DELETE FROM finished", isFinal ? [[]] : []), (Self.note, notes),
                ] + Self.changes(of: stored.sinks, to: sinks))
            if let covered {
                // All notes up to the mark are deleted.
                connection.mergedNotes = []
                if let last = lastMark, last <= covered { lastMark = nil }
            }
        }
        connection.wrote((wanted, snapshot.nodes, sinks))
    }

    /// Stores the names of sinks, now or, if that fails, with the next snapshot.
    func keep(_ sinks: [String: SinkNames]) throws(DatabaseError) {
        try queue.sync {
            Result { () throws(DatabaseError) in
                self.sinks = sinks
                try use { connection throws(DatabaseError) in
                    var stored = try connection.content()
                    if isFinal || stored.sinks == sinks { return }
                    connection.willWrite()
                    try connection.database.transaction(Self.changes(of: stored.sinks, to: sinks))
                    stored.sinks = sinks
                    connection.wrote(stored)
                }
            }
        }.get()
    }

    /// Stores notes that the previous process has not written, instead of its notes on the same events.
    func add(_ events: [UnsettledEvent]) throws(DatabaseError) {
        if events.isEmpty { return }
        try queue.sync {
            Result { () throws(DatabaseError) in
                try use { connection throws(DatabaseError) in
                    let content = try connection.content()
                    connection.willWrite()
                    // As notes of an earlier process: sources have yet to emit these events again.
                    try connection.database.transaction([
                        (Self.note, events.map { $0.progress.row(of: $0.event.id, from: $0.event.source, 0, mark: 0) })
                    ])
                    connection.wrote(content)
                    let stored = Set(content.events.values.map(\.event.id))
                    connection.mergedNotes += events.map(\.event.id).filter(stored.contains)
                }
            }
        }.get()
    }

    private static func content(of snapshot: Snapshot) -> Content {
        (byKey(snapshot.events), snapshot.nodes, snapshot.sinks)
    }

    /// The events by the keys of their rows. Ids do not serve: two events of one name may be unsettled.
    private static func byKey(_ events: [UnsettledEvent]) -> [String: UnsettledEvent] {
        Dictionary(events.map { ("\($0.event.source)\0\($0.event.run)\0\($0.event.sequence)", $0) }) { $1 }
    }

    /// Stores the progress of sinks with an event in the background, so that they ignore it if it is delivered again.
    ///
    /// The next snapshot removes the event, as it has the state of the steps after it.
    func note(_ event: UnsettledEvent) {
        let isFirst = notes.withLock { notes in
            defer { notes.events[event.event.id] = (event, notes.mark) }
            return notes.events.isEmpty
        }
        if isFirst { queue.async { self.writeNotes() } }
    }

    private func writeNotes() {
        let taken = notes.withLock { notes in
            defer { (notes.events, notes.isWriting) = ([:], true) }
            return notes.events
        }
        if taken.isEmpty { return notes.withLock { $0.isWriting = false } }
        defer { notes.withLock { $0.isWriting = false } }
        if isFinal { return }
        lastMark = taken.values.reduce(lastMark ?? 0) { max($0, $1.mark) }
        let rows = taken.map { id, note in
            note.event.progress.row(of: id, from: note.event.event.source, process, mark: note.mark)
        }
        // The next snapshot has what cannot be written now.
        guard database.isOpen else { return }
        try? use { connection throws(DatabaseError) in
            connection.dropFound()
            try connection.database.transaction([(Self.note, rows)], isDurable: false)
        }
    }

    /// Calls `body` on the queue when all earlier notes are written, so that they survive the process, or cannot be
    /// written.
    ///
    /// - Returns: `false`, without a call, if there is nothing to write.
    func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        let isPending = notes.withLock { $0.isWriting || !$0.events.isEmpty }
        // The thread that has noted the first may not have queued the write yet.
        if isPending {
            queue.async {
                self.writeNotes()
                body()
            }
        }
        return isPending
    }
}
