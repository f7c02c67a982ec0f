import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import RxStore
import Synchronization

// Unchecked: what changes is touched on the queue alone.
/// Stores what a process leaves to the next.
final class SnapshotStore: @unchecked Sendable {
    private let onLateOpening: @Sendable (Int) -> Void
    private var database: LazyDatabase<Connection>
    /// Whether the snapshot was asked for when it could not be read.
    private var isLate = false
    /// What the previous process left, if this one was not given it: it stays for the next one.
    private var left: [UnsettledEvent] = []
    private let queue = DispatchQueue(label: "rx.snapshots")
    /// The names of sinks that were stored last, or are to be. A snapshot that is stored later may have been captured
    /// before.
    private var sinks: [String: SinkAllotment]?
    /// Whether the content is final: the process is stopping.
    private var isFinal = false
    private let isBusy = Atomic(false)
    private let notes = Locked(Notes())

    private typealias Kept = (
        events: [String: UnsettledEvent], nodes: [String: NodeState], sinks: [String: SinkAllotment]
    )

    /// What sinks have done for events, and not written yet.
    private struct Notes {
        /// By id, with the mark.
        var events: [String: (event: UnsettledEvent, mark: Int64)] = [:]
        /// What is noted belongs to the last mark.
        var mark: Int64 = 0
        var isWriting = false
    }

    /// Identifies this process in what is noted. What others have noted is for sources that have yet to emit those
    /// events again.
    private let process: Int64
    /// The highest mark of what is noted; `nil` if nothing is.
    private var lastMark: Int64?

    // Unchecked: touched on the queue alone.
    /// The open database, and what is known of its content.
    private final class Connection: @unchecked Sendable {
        let database: Database
        /// `nil` if it is not known.
        var kept: Kept?
        /// The ids of events that the previous process has left and noted: it is in what the next snapshot says of
        /// them.
        var folded: [String]

        init(
            in directory: String, damage: String?, onDamage: (String, String) -> Void,
            onRestore: @escaping @Sendable () -> Void
        ) throws(DatabaseError) {
            var found = Snapshot()
            var notes: [String] = []
            func read(_ database: Database) throws(DatabaseError) {
                found = try SnapshotStore.stored(in: database)
                notes = try SnapshotStore.notes(in: database).map(\.id)
            }
            database = try Database.open(
                "\(directory)/events.db", format: 1, damage: damage,
                prepare: { database throws(DatabaseError) in
                    try SnapshotStore.prepare(database)
                    // A damaged page shows when it is read.
                    try read(database)
                },
                salvage: { damaged, new throws(DatabaseError) in
                    let saved = try SnapshotSalvage(damaged, new).run()
                    try read(new)
                    return saved
                }, onDamage: onDamage, onRestore: onRestore)
            kept = (SnapshotStore.byKey(found.events), found.nodes, found.sinks)
            folded = notes.filter(Set(found.events.map(\.event.id)).contains)
        }

        func whatIsStored() throws(DatabaseError) -> Kept {
            if let kept { return kept }
            let stored = try SnapshotStore.stored(in: database)
            return (SnapshotStore.byKey(stored.events), stored.nodes, stored.sinks)
        }
    }

    /// A store in a directory, opened when it is first used, and again with each snapshot while that fails. One that is
    /// damaged, or of an unknown format, is set aside; what can be read of a damaged one is kept.
    ///
    /// - Parameters:
    ///   - onDamage: called with the new path of that, and with what is wrong with it.
    ///   - onRestore: called when the file was deleted and has been written again.
    ///   - onLateOpening: called when it is open after ``snapshot()`` has failed, with the number of events that the previous
    ///     process left. They stay stored, for the next one.
    init(
        openingLaterIn directory: String, onDamage: @escaping @Sendable (String, String) -> Void,
        onRestore: @escaping @Sendable () -> Void = {}, onLateOpening: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        process = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        self.onLateOpening = onLateOpening
        database = LazyDatabase(open: { damage throws(DatabaseError) in
            try Connection(in: directory, damage: damage, onDamage: onDamage, onRestore: onRestore)
        })
    }

    /// Opens the store in a directory.
    convenience init(
        in directory: String, onDamage: @escaping @Sendable (String, String) -> Void
    ) throws(DatabaseError) {
        self.init(openingLaterIn: directory, onDamage: onDamage)
        try queue.sync {
            Result { () throws(DatabaseError) in try use { _ in } }
        }.get()
    }

    /// Calls `body` with the database, which is opened if it is not, and again if this turns out to be damaged. On the
    /// queue.
    private func use<Value>(_ body: (Connection) throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
        try database.use(retriesDamage: true) { connection throws(DatabaseError) in
            if !connection.folded.isEmpty { lastMark = lastMark ?? 0 }
            if isLate {
                left = try Self.snapshot(in: connection.database).events
                isLate = false
                onLateOpening(left.count)
            }
            return try body(connection)
        }
    }

    /// What the previous process left, events in the order of their emission.
    func snapshot() throws(DatabaseError) -> Snapshot {
        try queue.sync {
            Result { () throws(DatabaseError) in
                do throws(DatabaseError) {
                    return try use { connection throws(DatabaseError) in try Self.snapshot(in: connection.database) }
                } catch {
                    isLate = true
                    throw error
                }
            }
        }.get()
    }

    private static func snapshot(in database: Database) throws(DatabaseError) -> Snapshot {
        var snapshot = try Self.stored(in: database)
        var notes = Dictionary(try Self.notes(in: database).map { ($0.id, $0) }) { $1 }
        for index in snapshot.events.indices {
            guard let note = notes.removeValue(forKey: snapshot.events[index].event.id) else { continue }
            snapshot.events[index].progress.add(note.progress)
        }
        for note in notes.values { snapshot.finished[note.source, default: [:]][note.id] = note.progress }
        return snapshot
    }

    /// Stores this snapshot as the last, by difference.
    func replace(with snapshot: Snapshot) throws(DatabaseError) {
        // Behind what is being forgotten.
        try queue.sync {
            Result { () throws(DatabaseError) in
                isFinal = true
                try update(to: snapshot, nil)
            }
        }.get()
    }

    /// Begins a mark, under which everything is noted from now on.
    ///
    /// - Returns: the mark before: a snapshot that is captured from now on has all that was noted up to it.
    func mark() -> Int64 {
        notes.withLock { notes in
            defer { notes.mark += 1 }
            return notes.mark
        }
    }

    /// The source has emitted everything that the previous process may have emitted: what that has noted is of no more
    /// use.
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

    /// Stores this snapshot by difference. Does not wait.
    ///
    /// - Parameters:
    ///   - mark: the mark before the snapshot was captured, whose notes it has; `nil` if parts of it are older.
    ///   - done: called with the error, if there was one. Not called after ``replace(with:)``.
    /// - Returns: `false` while another call is being written.
    @discardableResult
    func keep(
        _ snapshot: Snapshot, notedBefore mark: Int64? = nil,
        _ done: @escaping @Sendable (DatabaseError?) -> Void = { _ in }
    ) -> Bool {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { return false }
        queue.async { [self] in
            if isFinal { return isBusy.store(false, ordering: .releasing) }
            let result = Result { () throws(DatabaseError) in try update(to: snapshot, mark) }
            // `done` may have the next snapshot stored.
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
        let stored = try connection.whatIsStored()
        let sinks = sinks ?? snapshot.sinks
        let wanted = Self.byKey(left + snapshot.events)
        let changed = wanted.filter { key, event in stored.events[key].map { !$0.isStoredLike(event) } ?? true }
        let gone = stored.events.filter { wanted[$0.key] == nil }
        let changedNodes = snapshot.nodes.filter { stored.nodes[$0] != $1 }
        let goneNodes = stored.nodes.keys.filter { snapshot.nodes[$0] == nil }
        connection.kept = nil
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
                    // What this process has noted of them since is later than the snapshot.
                    (
                        "DELETE FROM finished WHERE id = ? AND process <> ?",
                        covered == nil ? [] : connection.folded.map { [.text($0), .integer(process)] }
                    ),
                    ("DELETE FROM finished", isFinal ? [[]] : []), (Self.note, notes),
                ] + Self.changes(of: stored.sinks, to: sinks))
            if let covered {
                // Everything that was noted up to the mark has been removed.
                connection.folded = []
                if let last = lastMark, last <= covered { lastMark = nil }
            }
        }
        connection.kept = (wanted, snapshot.nodes, sinks)
    }

    /// Stores the names of sinks, now or, if that fails, with the next snapshot.
    func keep(_ sinks: [String: SinkAllotment]) throws(DatabaseError) {
        try queue.sync {
            Result { () throws(DatabaseError) in
                self.sinks = sinks
                try use { connection throws(DatabaseError) in
                    var stored = try connection.whatIsStored()
                    if isFinal || stored.sinks == sinks { return }
                    connection.kept = nil
                    try connection.database.transaction(Self.changes(of: stored.sinks, to: sinks))
                    stored.sinks = sinks
                    connection.kept = stored
                }
            }
        }.get()
    }

    /// Stores what the previous process has not noted, in place of what it has noted of the same events.
    func add(_ events: [UnsettledEvent]) throws(DatabaseError) {
        if events.isEmpty { return }
        try queue.sync {
            Result { () throws(DatabaseError) in
                try use { connection throws(DatabaseError) in
                    // As of another process than this one: sources have yet to emit the events again.
                    try connection.database.transaction([
                        (Self.note, events.map { $0.progress.row(of: $0.event.id, from: $0.event.source, 0, mark: 0) })
                    ])
                    let stored = Set(try connection.whatIsStored().events.values.map(\.event.id))
                    connection.folded += events.map(\.event.id).filter(stored.contains)
                }
            }
        }.get()
    }

    /// By what identifies their rows: two events of one name may be unsettled.
    private static func byKey(_ events: [UnsettledEvent]) -> [String: UnsettledEvent] {
        Dictionary(events.map { ("\($0.event.source)\0\($0.event.run)\0\($0.event.sequence)", $0) }) { $1 }
    }

    /// Stores what sinks have done for an event, so that they ignore it if it is delivered again. Does not wait.
    ///
    /// The event is removed by the next snapshot, which has the steps' memory of it, too.
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
        // What cannot be written now is in the next snapshot.
        guard database.isOpen else { return }
        try? use { connection throws(DatabaseError) in
            try connection.database.transaction([(Self.note, rows)], isDurable: false)
        }
    }

    /// Calls `body` when everything that was noted before is written, so that it survives the process, or cannot be.
    ///
    /// - Returns: `false`, without a call, if nothing is to be written.
    func whenWritten(_ body: @escaping @Sendable () -> Void) -> Bool {
        let isPending = notes.withLock { $0.isWriting || !$0.events.isEmpty }
        // Whoever has noted the first may have yet to ask for the writing.
        if isPending {
            queue.async {
                self.writeNotes()
                body()
            }
        }
        return isPending
    }
}
