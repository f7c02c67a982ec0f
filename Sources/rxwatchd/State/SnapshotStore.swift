import Dispatch
import RxEngine
import RxJSON
import RxLinux
import RxPipelines
import RxStore
import Synchronization

// Unchecked: what changes is touched on the queue alone.
/// Stores what a process leaves to the next.
final class SnapshotStore: @unchecked Sendable {
    private let database: Database
    private let queue = DispatchQueue(label: "rx.snapshots")
    /// The stored events by id, and the stored states; `nil` if that is not known.
    private var kept: (events: [String: UnsettledEvent], nodes: [String: NodeState])?
    /// What was noted of events that a snapshot has captured, but not stored yet.
    private var early: [String: UnsettledEvent] = [:]
    /// Whether the content is final: the process is stopping.
    private var isFinal = false
    private let isBusy = Atomic(false)
    /// What sinks have done for events since they were captured, by id, and not written yet.
    private let notes = Locked<[String: UnsettledEvent]>([:])

    /// Opens the store in a directory. One that is damaged, or of an unknown format, is set aside.
    ///
    /// - Parameter onDamage: called with the new path of that, and with what is wrong with it.
    init(in directory: String, onDamage: (String, String) -> Void) throws(DatabaseError) {
        var found = Snapshot()
        database = try Database.open(
            "\(directory)/events.db", format: 1,
            prepare: { database throws(DatabaseError) in
                try Self.prepare(database)
                // A damaged page shows when it is read.
                found = try Self.snapshot(in: database)
            }, onDamage: onDamage)
        kept = (Self.byID(found.events), found.nodes)
    }

    private static func prepare(_ database: Database) throws(DatabaseError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS unsettled (
                source TEXT NOT NULL, run TEXT NOT NULL, sequence INTEGER NOT NULL, time REAL NOT NULL,
                value BLOB NOT NULL, done BLOB NOT NULL, results BLOB NOT NULL DEFAULT '[]',
                PRIMARY KEY (source, run, sequence)
            ) WITHOUT ROWID
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS state (
                node TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL, run TEXT NOT NULL, cells BLOB NOT NULL
            ) WITHOUT ROWID
            """)
        // Before there was a format, events had no results.
        let columns = try database.run("SELECT name FROM pragma_table_info('unsettled')")
        if !columns.contains([.text("results")]) {
            try database.run("ALTER TABLE unsettled ADD COLUMN results BLOB NOT NULL DEFAULT '[]'")
        }
    }

    /// What the previous process left, events in the order of their emission. What cannot be read is left out.
    func snapshot() throws(DatabaseError) -> Snapshot { try Self.snapshot(in: database) }

    private static func snapshot(in database: Database) throws(DatabaseError) -> Snapshot {
        let events = try database.run(
            "SELECT source, run, sequence, time, value, done, results FROM unsettled ORDER BY time, sequence")
        let states = try database.run("SELECT node, content, run, cells FROM state")
        return Snapshot(
            events: events.compactMap { UnsettledEvent(row: $0) },
            nodes: Dictionary(states.compactMap { NodeState.read(row: $0) }) { $1 })
    }

    /// Stores this snapshot as the last.
    func replace(with snapshot: Snapshot) throws(DatabaseError) {
        // Behind what is being forgotten.
        try queue.sync {
            Result { () throws(DatabaseError) in
                (kept, isFinal) = (nil, true)
                try database.transaction([
                    ("DELETE FROM unsettled", [[]]), (Self.insertion, snapshot.events.map(\.row)),
                    ("DELETE FROM state", [[]]), (Self.stateInsertion, snapshot.nodes.map { $1.row(of: $0) }),
                ])
            }
        }.get()
    }

    private static let insertion = "INSERT OR REPLACE INTO unsettled VALUES (?, ?, ?, ?, ?, ?, ?)"
    private static let progress = "UPDATE unsettled SET done = ? WHERE source = ? AND run = ? AND sequence = ?"
    private static let deletion = "DELETE FROM unsettled WHERE source = ? AND run = ? AND sequence = ?"
    private static let stateInsertion = "INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?)"
    private static let stateDeletion = "DELETE FROM state WHERE node = ?"

    /// Stores this snapshot by difference. Does not wait.
    ///
    /// - Parameter done: called with the error, if there was one. Not called after ``replace(with:)``.
    /// - Returns: `false` while another call is being written.
    @discardableResult
    func keep(_ snapshot: Snapshot, _ done: @escaping @Sendable (DatabaseError?) -> Void = { _ in }) -> Bool {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { return false }
        queue.async { [self] in
            defer { isBusy.store(false, ordering: .releasing) }
            if isFinal { return }
            do throws(DatabaseError) {
                try update(to: snapshot)
                done(nil)
            } catch {
                done(error)
            }
        }
        return true
    }

    private func update(to snapshot: Snapshot) throws(DatabaseError) {
        let stored: (events: [String: UnsettledEvent], nodes: [String: NodeState])
        if let kept {
            stored = kept
        } else {
            let before = try self.snapshot()
            stored = (Self.byID(before.events), before.nodes)
        }
        var wanted = Self.byID(snapshot.events)
        // Notes are later than the snapshot.
        for id in wanted.keys {
            if let before = stored.events[id] { wanted[id]?.progress.add(before.progress) }
            if let note = early[id] { wanted[id]?.progress.add(note.progress) }
        }
        let changed = wanted.filter { id, event in stored.events[id].map { !$0.isStoredLike(event) } ?? true }
        let gone = stored.events.filter { wanted[$0.key] == nil }
        let changedNodes = snapshot.nodes.filter { stored.nodes[$0] != $1 }
        let goneNodes = stored.nodes.keys.filter { snapshot.nodes[$0] == nil }
        kept = nil
        if !(changed.isEmpty && gone.isEmpty && changedNodes.isEmpty && goneNodes.isEmpty) {
            try database.transaction([
                (Self.deletion, gone.values.map(\.event.key)), (Self.insertion, changed.values.map(\.row)),
                (Self.stateDeletion, goneNodes.map { [.text($0)] }),
                (Self.stateInsertion, changedNodes.map { $1.row(of: $0) }),
            ])
        }
        kept = (wanted, snapshot.nodes)
        early = [:]
    }

    private static func byID(_ events: [UnsettledEvent]) -> [String: UnsettledEvent] {
        Dictionary(events.map { ($0.event.id, $0) }) { $1 }
    }

    /// Stores what sinks have done for an event, so that they ignore it if it is redelivered. Does not wait.
    ///
    /// The event is removed by the next snapshot, which has the steps' memory of it, too.
    func note(_ event: UnsettledEvent) {
        let isFirst = notes.withLock { notes in
            defer { notes[event.event.id] = event }
            return notes.isEmpty
        }
        if isFirst { queue.async { self.writeNotes() } }
    }

    private func writeNotes() {
        let taken = notes.withLock { notes in
            defer { notes = [:] }
            return notes
        }
        if isFinal { return }
        // For the next snapshot, which may be older, and has what cannot be written now.
        early.merge(taken) { $1 }
        do {
            try database.transaction([
                (Self.progress, taken.values.map { [.blob($0.progress.json.bytes)] + $0.event.key })
            ])
        } catch {
            kept = nil
        }
    }
}

extension NodeState {
    fileprivate func row(of node: String) -> [DatabaseValue] {
        let cells = JSON.object(JSON.Object(uniqueKeysWithValues: cells.sorted { $0.key < $1.key }))
        return [.text(node), .text(content), .text(run), .blob(cells.bytes)]
    }

    fileprivate static func read(row: [DatabaseValue]) -> (String, NodeState)? {
        guard row.count == 4, let node = row[0].text, let content = row[1].text, let run = row[2].text,
            let cells = try? JSON(parsing: row[3].blob ?? []), let members = cells.object?.members
        else { return nil }
        let values = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
        return (node, NodeState(content: content, run: run, cells: values))
    }
}

extension SourceEvent {
    fileprivate var key: [DatabaseValue] { [.text(source), .text(run), .integer(Int64(sequence))] }
}

extension UnsettledEvent {
    fileprivate var row: [DatabaseValue] {
        event.key + [.real(event.time), .blob(value.bytes), .blob(progress.json.bytes), .blob(results.json.bytes)]
    }

    /// Whether both have the same row, given the same event.
    fileprivate func isStoredLike(_ other: UnsettledEvent) -> Bool {
        value == other.value && progress.done == other.progress.done && results == other.results
    }

    fileprivate init?(row: [DatabaseValue]) {
        guard row.count == 7, let source = row[0].text, let run = row[1].text,
            let sequence = row[2].integer.flatMap({ UInt64(exactly: $0) }), let time = row[3].real,
            let value = try? JSON(parsing: row[4].blob ?? [])
        else { return nil }
        // An event whose progress cannot be read is delivered again all the same.
        let done = try? JSON(parsing: row[5].blob ?? [])
        let results = try? JSON(parsing: row[6].blob ?? [])
        self.init(
            SourceEvent(source, run: run, sequence: sequence, time: time, isRedelivered: true), value,
            SinkProgress(done ?? [:]), StepResults(results ?? []))
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

extension StepResults {
    /// Each as `[step, arrival]` or `[step, arrival, output]`.
    fileprivate var json: JSON {
        .array(
            made.map { result in
                .array([.string(result.step), .number(Double(result.arrival))] + (result.output.map { [$0] } ?? []))
            })
    }

    fileprivate init(_ json: JSON) {
        self.init(
            (json.array ?? []).compactMap { entry in
                guard let step = entry[0]?.string, let arrival = entry[1]?.number.flatMap({ Int(exactly: $0) }) else {
                    return nil
                }
                return StepResults.Result(step: step, arrival: arrival, output: entry[2])
            })
    }
}
