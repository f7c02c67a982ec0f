import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import RxStore
import Synchronization

// Unchecked: what changes is touched on the queue alone.
/// Keeps the events that are not settled, for the next process.
final class UnsettledStore: @unchecked Sendable {
    private let database: Database
    private let queue = DispatchQueue(label: "rx.unsettled")
    /// The stored events by id; `nil` if that is not known.
    private var kept: [String: UnsettledEvent]?
    /// Whether the content is final: the process is stopping.
    private var isFinal = false
    private let isBusy = Atomic(false)

    /// Opens the store in a directory. One that is damaged is set aside.
    ///
    /// - Parameter onDamage: told where to, and what was wrong with it.
    init(in directory: String, onDamage: (String, DatabaseError) -> Void) throws(DatabaseError) {
        let path = "\(directory)/events.db"
        do throws(DatabaseError) {
            database = try Self.open(path)
        } catch {
            guard error.isDamage else { throw error }
            let aside = "\(path).damaged"
            for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
            onDamage(aside, error)
            database = try Self.open(path)
        }
    }

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(at: path)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS unsettled (
                source TEXT NOT NULL, run TEXT NOT NULL, sequence INTEGER NOT NULL, time REAL NOT NULL,
                value BLOB NOT NULL, done BLOB NOT NULL, PRIMARY KEY (source, run, sequence)
            ) WITHOUT ROWID
            """)
        return database
    }

    /// What the process before has left, in the order in which it was told. What cannot be read is left out.
    func events() throws(DatabaseError) -> [UnsettledEvent] {
        try database.run("SELECT source, run, sequence, time, value, done FROM unsettled ORDER BY time, sequence")
            .compactMap { UnsettledEvent(row: $0) }
    }

    /// Keeps these, and forgets all others.
    func replace(with events: [UnsettledEvent]) throws(DatabaseError) {
        // Behind what is being forgotten.
        try queue.sync {
            Result { () throws(DatabaseError) in
                (kept, isFinal) = (nil, true)
                try database.transaction([
                    ("DELETE FROM unsettled", [[]]), (Self.insertion, events.map(\.row)),
                ])
            }
        }.get()
    }

    private static let insertion = "INSERT OR REPLACE INTO unsettled VALUES (?, ?, ?, ?, ?, ?)"
    private static let deletion = "DELETE FROM unsettled WHERE source = ? AND run = ? AND sequence = ?"

    /// Stores these events by difference. Does not wait.
    ///
    /// - Parameter done: called with the error, if there was one. Not called after ``replace(with:)``.
    /// - Returns: `false` while another call is being written.
    @discardableResult
    func keep(
        _ events: [UnsettledEvent], _ done: @escaping @Sendable (DatabaseError?) -> Void = { _ in }
    ) -> Bool {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { return false }
        queue.async { [self] in
            defer { isBusy.store(false, ordering: .releasing) }
            if isFinal { return }
            do throws(DatabaseError) {
                try update(to: events)
                done(nil)
            } catch {
                done(error)
            }
        }
        return true
    }

    private func update(to events: [UnsettledEvent]) throws(DatabaseError) {
        var stored = kept ?? [:]
        if kept == nil { stored = Self.byID(try self.events()) }
        let wanted = Self.byID(events)
        let changed = wanted.filter { id, event in stored[id].map { !$0.isStoredLike(event) } ?? true }
        let gone = stored.filter { wanted[$0.key] == nil }
        kept = nil
        if !changed.isEmpty || !gone.isEmpty {
            try database.transaction([
                (Self.deletion, gone.values.map(\.event.key)), (Self.insertion, changed.values.map(\.row)),
            ])
        }
        kept = wanted
    }

    private static func byID(_ events: [UnsettledEvent]) -> [String: UnsettledEvent] {
        Dictionary(events.map { ($0.event.id, $0) }) { $1 }
    }

    /// Forgets an event, which is settled. Does not wait.
    func forget(_ event: SourceEvent) {
        queue.async { [self] in
            // What cannot be forgotten is told again by the next process, whose sinks know what they have done.
            _ = try? database.transaction([(Self.deletion, [event.key])])
            kept?[event.id] = nil
        }
    }
}

extension SourceEvent {
    fileprivate var key: [DatabaseValue] { [.text(source), .text(run), .integer(Int64(sequence))] }
}

extension UnsettledEvent {
    fileprivate var row: [DatabaseValue] {
        event.key + [.real(event.time), .blob(value.bytes), .blob(progress.json.bytes)]
    }

    /// Whether both have the same row, given the same event.
    fileprivate func isStoredLike(_ other: UnsettledEvent) -> Bool {
        value == other.value && progress.done == other.progress.done
    }

    fileprivate init?(row: [DatabaseValue]) {
        guard row.count == 6, let source = row[0].text, let run = row[1].text,
            let sequence = row[2].integer.flatMap({ UInt64(exactly: $0) }), let time = row[3].real,
            let value = try? JSON(parsing: row[4].blob ?? []), let done = try? JSON(parsing: row[5].blob ?? [])
        else { return nil }
        self.init(
            SourceEvent(source, run: run, sequence: sequence, time: time, isRedelivered: true), value,
            SinkProgress(done))
    }
}

extension SinkProgress {
    /// What each sink is done with, by its name.
    fileprivate var json: JSON {
        .object(
            JSON.Object(
                uniqueKeysWithValues: done.sorted { $0.key < $1.key }
                    .map { ($0.key, .array($0.value.sorted().map { .number(Double($0)) })) }))
    }

    fileprivate init(_ json: JSON) {
        let members = json.object?.members ?? []
        self.init(
            done: Dictionary(
                members.map { ($0.key, Set(($0.value.array ?? []).compactMap { $0.number.map { Int($0) } })) }
            ) { $0.union($1) })
    }
}
