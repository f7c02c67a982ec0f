import Foundation
import RxEngine
import RxJQ
import RxJSON
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

extension SnapshotTests {
    @Test func keepStoresDifference() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        func event(_ number: UInt64, done: [String: Set<Int>] = [:]) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress(done: done))
        }
        func settled(_ ids: [String]) async throws {
            try await eventually("\(ids) are kept") { try store.snapshot().events.map(\.event.id) == ids }
        }
        func keep(_ events: UnsettledEvent..., in store: SnapshotStore) async throws {
            let isDone = Cell(false)
            // Not while the one before is being written.
            try await eventually("the store accepts the snapshot") {
                store.keep(Snapshot(events: events)) { _ in isDone.update { $0 = true } }
            }
            try await eventually("the snapshot is stored") { isDone.value }
        }
        try await keep(event(0), event(1), in: store)
        try await settled(["s:r:0", "s:r:1"])
        try await keep(event(1, done: ["p/x": [0]]), event(2), in: store)
        try await settled(["s:r:1", "s:r:2"])
        #expect(try store.snapshot().events.map(\.progress.done) == [["p/x": [0]], [:]])
        // A note is later than the snapshot of the same event.
        store.note(event(2, done: ["p/y": [1]]))
        try await keep(event(2), event(1, done: ["p/x": [0]]), in: store)
        try await settled(["s:r:1", "s:r:2"])
        #expect(try store.snapshot().events.map(\.progress.done) == [["p/x": [0]], ["p/y": [1]]])
        // So is a note that arrives before the event is stored.
        store.note(event(3, done: ["p/z": [0]]))
        try await keep(event(1), event(2), event(3), in: store)
        #expect(try store.snapshot().events.last?.progress.done == ["p/z": [0]])
        // Another process that begins with these contents does the same.
        let other = try SnapshotStore(in: folder) { _, _ in }
        try await keep(event(2), in: other)
        try await settled(["s:r:2"])
        try await keep(in: other)
        try await settled([])
        // After the final write nothing is stored.
        try other.replace(with: Snapshot(events: [event(5)]))
        try await eventually("the store accepts the snapshot") { other.keep(Snapshot(events: [event(6)])) }
        try await eventually("the snapshot is stored") { other.keep(Snapshot()) }
        #expect(try other.snapshot().events.map(\.event.id) == ["s:r:5"])
    }

    /// A save that is requested during another one follows it at once.
    @Test(.balanced) func startWaitsOnlyForSnapshot() throws {
        defer { state.remove() }
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.test")
        let saver = SnapshotSaver(try SnapshotStore(in: folder) { _, _ in }, on: scheduler) { _ in }
        let plan = try Plan.read(
            "sources: { tick: { interval: 1h } }\npipelines: { p: { from: tick, to: [stdout] } }".utf8, file: "t.yaml")
        let graph = Graph(
            plan, generation: { 1 }, host: Host(),
            records: RecordOutbox(writesToJournal: false, print: { _ in }), printLine: { $1.end(.written) },
            makeScheduler: { _ in scheduler })
        /// Waits until the scheduler has run the pending captures and saves.
        func waitForSaves() {
            for _ in 0..<4 {
                let done = DispatchSemaphore(value: 0)
                _ = scheduler.schedule(()) {
                    done.signal()
                    return Disposables.create()
                }
                done.wait()
            }
        }
        let other = try Database(at: "\(folder)/events.db")
        let took = Cell(Duration.zero)
        for _ in 0..<5 {
            // The first snapshot is being written for as long as this is locked.
            try other.run("BEGIN IMMEDIATE")
            saver.show(graph)
            waitForSaves()
            let thread = TestSupport.Thread {
                let start = ContinuousClock.now
                saver.show(graph, waiting: .seconds(20))
                took.update { $0 += ContinuousClock.now - start }
            }
            waitForSaves()
            try other.run("COMMIT")
            thread.join()
        }
        #expect(took.value < .seconds(4))
        saver.stop()
        graph.dispose()
    }

    /// A stop with many unsettled events does not wait until all of them are written again.
    @Test func lastSnapshotIsStoredByDifference() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let events = (0..<100 as Range<UInt64>).map { number in
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress())
        }
        let isKept = Cell(false)
        store.keep(Snapshot(events: Array(events.dropLast()))) { _ in isKept.update { $0 = true } }
        try await eventually("the snapshot is stored") { isKept.value }
        store.note(events[3])
        let database = try Database(at: "\(folder)/events.db")
        try database.run("CREATE TABLE log (sequence)")
        for (change, row) in [("INSERT", "new"), ("DELETE", "old")] {
            try database.run(
                "CREATE TRIGGER on_\(change) AFTER \(change) ON unsettled BEGIN INSERT INTO log VALUES (\(row).sequence); END"
            )
        }
        let finished = ["s": ["s:r:200": SinkProgress(done: ["p/x": [0]])]]
        try store.replace(with: Snapshot(events: Array(events.dropFirst(2)), finished: finished))
        let written = try database.run("SELECT sequence FROM log ORDER BY sequence")
        #expect(written == [[.integer(0)], [.integer(1)], [.integer(99)]])
        let snapshot = try SnapshotStore(in: folder) { _, _ in }.snapshot()
        #expect(snapshot.events.map(\.event.sequence) == Array(2..<100) && snapshot.finished == finished)
    }

    @Test func snapshotRoundTrips() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let events = (0..<3 as Range<UInt64>).map { number in
            UnsettledEvent(
                SourceEvent("tick", run: "r", sequence: number, time: 1, isRedelivered: true),
                ["n": .number(Double(number))], SinkProgress(done: number == 1 ? ["p/journal": [0, 2]] : [:]),
                StepResults(
                    number == 2
                        ? [
                            .init(step: "p:1/0", arrival: 0, output: ["a": 1]),
                            .init(step: "p:1/1", arrival: 3, output: nil),
                        ] : []))
        }
        let nodes = ["p": NodeState(content: "text", run: "p:1", cells: ["0": JQValue(3), "1/\"a\"/0": .null])]
        let sinks = [
            "p": Self.sinkNames(of: "journal", [2, 1], removed: [3]), "q": Self.sinkNames(of: "http", [], removed: [1]),
        ]
        try store.replace(with: Snapshot(events: events, nodes: nodes, sinks: sinks))
        for read in [store, try SnapshotStore(in: folder) { _, _ in }] {
            let snapshot = try read.snapshot()
            #expect(snapshot.events.map(\.event.id) == ["tick:r:0", "tick:r:1", "tick:r:2"])
            #expect(snapshot.events.map(\.value) == events.map(\.value))
            #expect(snapshot.events.map(\.progress) == events.map(\.progress))
            #expect(snapshot.events.map(\.results) == events.map(\.results))
            #expect(snapshot.events.allSatisfy { $0.event.isRedelivered })
            #expect(snapshot.nodes == nodes && snapshot.sinks == sinks)
        }
    }

    private static func sinkNames(of kind: String, _ sinks: [Int], removed: [Int] = []) -> SinkNames {
        func entries(_ numbers: [Int]) -> [SinkNames.Entry] {
            numbers.map { SinkNames.Entry(kind: kind, number: $0, content: "{1:\($0)") }
        }
        return SinkNames(sinks: entries(sinks), removed: entries(removed))
    }

    /// The names are stored before anything else.
    @Test func namesOfSinksAreStored() throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let first = ["p": Self.sinkNames(of: "http", [1, 2]), "q": Self.sinkNames(of: "file", [1])]
        try store.keep(first)
        #expect(try SnapshotStore(in: folder) { _, _ in }.snapshot().sinks == first)
        let second = ["p": Self.sinkNames(of: "http", [3, 1], removed: [2]), "r": Self.sinkNames(of: "file", [1])]
        try store.keep(second)
        #expect(try store.snapshot().sinks == second)
        // A snapshot that was captured before.
        try store.replace(with: Snapshot(sinks: first))
        #expect(try SnapshotStore(in: folder) { _, _ in }.snapshot().sinks == second)
    }

    @Test func notesAreStoredAtOnce() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let event = SourceEvent("s", run: "r", sequence: 0, time: 1)
        let isKept = Cell(false)
        store.keep(Snapshot(events: [UnsettledEvent(event, .null)])) { _ in isKept.update { $0 = true } }
        try await eventually("the snapshot is stored") { isKept.value }
        store.note(UnsettledEvent(event, .null, SinkProgress(done: ["p/x": [0]])))
        let isWritten = Cell(false)
        // It may be written by now.
        if !store.whenWritten({ isWritten.update { $0 = true } }) { isWritten.update { $0 = true } }
        try await eventually("the note is written") { isWritten.value }
        #expect(!store.whenWritten {})
        try await eventually("the progress is noted") {
            try store.snapshot().events.map(\.progress.done) == [["p/x": [0]]]
        }
    }

    /// A note of an event that no snapshot has is kept until the source has emitted the event again, and a later
    /// snapshot has it.
    @Test func notesAreKeptUntilSnapshotCoversThem() async throws {
        defer { state.remove() }
        func event(_ name: String) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: name, sequence: 0, time: 1), .null, SinkProgress(done: ["p/x": [0]]))
        }
        func keep(_ events: [UnsettledEvent] = [], notedBefore mark: Int64?, in store: SnapshotStore) async throws {
            let isDone = Cell(false)
            try await eventually("the store accepts the snapshot") {
                store.keep(Snapshot(events: events), notedBefore: mark) { _ in isDone.update { $0 = true } }
            }
            try await eventually("the snapshot is stored") { isDone.value }
        }
        func noted(in store: SnapshotStore) throws -> [String] {
            try store.snapshot().finished["s"]?.keys.sorted() ?? []
        }
        let first = try SnapshotStore(in: folder) { _, _ in }
        first.note(event("@a"))
        let mark = first.mark()
        first.note(event("@b"))
        try await eventually("both events are noted") { try noted(in: first) == ["s:@a", "s:@b"] }
        // Parts of it are older.
        try await keep(notedBefore: nil, in: first)
        #expect(try noted(in: first) == ["s:@a", "s:@b"])
        try await keep(notedBefore: mark, in: first)
        #expect(try noted(in: first) == ["s:@b"])

        let second = try SnapshotStore(in: folder) { _, _ in }
        try await keep(notedBefore: second.mark(), in: second)
        #expect(try noted(in: second) == ["s:@b"])
        second.note(event("@c"))
        second.release("s")
        try await keep(notedBefore: second.mark(), in: second)
        #expect(try noted(in: second) == [])

        // Its remainder when the process stops is for the next process.
        try second.replace(with: Snapshot(finished: ["s": ["s:@d": SinkProgress(done: ["p/x": [0]])]]))
        let third = try SnapshotStore(in: folder) { _, _ in }
        #expect(try noted(in: third) == ["s:@d"])
        // A note of a stored event: both have the progress.
        try await keep([event("@e")], notedBefore: third.mark(), in: third)
        var more = event("@e")
        more.progress.add(SinkProgress(done: ["p/y": [0]]))
        third.note(more)
        try await eventually("the progress is noted") { try third.snapshot().events.map(\.progress) == [more.progress] }
        let fourth = try SnapshotStore(in: folder) { _, _ in }
        let left = try fourth.snapshot()
        #expect(left.events.map(\.progress) == [more.progress])
        try await keep(left.events, notedBefore: fourth.mark(), in: fourth)
        fourth.release("s")
        try await keep(left.events, notedBefore: fourth.mark(), in: fourth)
        #expect(try fourth.snapshot().events.map(\.progress) == [more.progress] && noted(in: fourth) == [])
    }

    /// A sink finishes a redelivered event after the first snapshot was captured, and before it is stored.
    @Test func firstSnapshotKeepsLaterNotes() async throws {
        defer { state.remove() }
        var event = UnsettledEvent(SourceEvent("s", run: "@a", sequence: 0, time: 1), .null)
        let first = try SnapshotStore(in: folder) { _, _ in }
        let isKept = Cell(0)
        first.keep(Snapshot(events: [event])) { _ in isKept.update { $0 += 1 } }
        try await eventually("the first snapshot is stored") { isKept.value == 1 }
        event.progress.add(SinkProgress(done: ["p/x": [0]]))
        first.note(event)
        try await eventually("the progress is noted") {
            try first.snapshot().events.map(\.progress) == [event.progress]
        }

        let second = try SnapshotStore(in: folder) { _, _ in }
        let captured = (mark: second.mark(), snapshot: try second.snapshot())
        event.progress.add(SinkProgress(done: ["p/y": [0]]))
        second.note(event)
        second.keep(captured.snapshot, notedBefore: captured.mark) { _ in isKept.update { $0 += 1 } }
        try await eventually("the second snapshot is stored") { isKept.value == 2 }
        #expect(try second.snapshot().events.map(\.progress) == [event.progress])
    }

    @Test func storeWithoutFormatIsAdopted() throws {
        defer { state.remove() }
        do {
            let database = try Database(at: "\(folder)/events.db")
            try database.run(
                """
                CREATE TABLE unsettled (
                    source TEXT NOT NULL, run TEXT NOT NULL, sequence INTEGER NOT NULL, time REAL NOT NULL,
                    value BLOB NOT NULL, done BLOB NOT NULL, PRIMARY KEY (source, run, sequence)
                ) WITHOUT ROWID
                """)
            try database.run(
                "INSERT INTO unsettled VALUES ('s', 'r', 3, 1.0, ?, ?)", .blob(Array("7".utf8)), .blob(Array("{}".utf8))
            )
        }
        let snapshot = try SnapshotStore(in: folder) { _, _ in Issue.record("it is not damaged") }.snapshot()
        #expect(snapshot.events.map(\.event.id) == ["s:r:3"] && snapshot.events.map(\.value) == [7])
    }

    @Test func storeOfLaterFormatIsSetAside() throws {
        defer { state.remove() }
        try Database(at: "\(folder)/events.db").run("PRAGMA user_version = 99")
        let reasons = Cell<[String]>([])
        let store = try SnapshotStore(in: folder) { reasons.append($1) }
        #expect(reasons.value == ["its format is 99, of a later version"])
        #expect(try store.snapshot().events.isEmpty)
    }

    /// The previous process's state was not given to this one: it stays for the next.
    @Test func storeOpenedLaterKeepsItsContents() async throws {
        defer { state.remove() }
        func event(_ number: UInt64, done: [String: Set<Int>] = [:]) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress(done: done))
        }
        let later = "\(folder)/later"
        do {
            let before = try SnapshotStore(in: folder) { _, _ in }
            try before.replace(with: Snapshot(events: [event(0), event(1, done: ["p/x": [0]])]))
        }
        let openings = Cell<[Int]>([])
        let store = SnapshotStore(openingLaterIn: later) {
            Issue.record("\($0): \($1)")
        } onLateOpening: {
            openings.append($0)
        }
        #expect(throws: DatabaseError.self) { try store.snapshot() }
        let results = Cell<[Bool]>([])
        func keep(_ events: UnsettledEvent...) async throws {
            let count = results.value.count
            try await eventually("the store accepts the snapshot") {
                store.keep(Snapshot(events: events), notedBefore: store.mark()) { error in
                    results.update { $0.append(error == nil) }
                }
            }
            try await eventually("the snapshot is stored") { results.value.count > count }
        }
        try await keep(event(7))
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: "\(folder)/events.db", toPath: "\(later)/events.db")
        try await keep(event(7), event(8))
        try await keep(event(8))
        #expect(results.value == [false, true, true] && openings.value == [2])
        #expect(
            try SnapshotStore(in: later) { _, _ in }.snapshot().events.map(\.event.id) == ["s:r:0", "s:r:1", "s:r:8"])
        try store.replace(with: Snapshot(events: [event(9)]))
        let last = try SnapshotStore(in: later) { _, _ in }.snapshot()
        #expect(last.events.map(\.event.id) == ["s:r:0", "s:r:1", "s:r:9"])
        #expect(last.events.map(\.progress.done) == [[:], ["p/x": [0]], [:]])
    }

    /// A process is killed after an event is stored in a spool and before that is noted.
    @Test func spooledEventsAreNoted() throws {
        defer { state.remove() }
        func event(_ source: String, _ run: String, _ number: UInt64, done: [String: Set<Int>] = [:]) -> UnsettledEvent
        {
            UnsettledEvent(SourceEvent(source, run: run, sequence: number, time: 1), .null, SinkProgress(done: done))
        }
        let done = SinkProgress(done: ["p/file": [0]])
        try SnapshotStore(in: folder) { _, _ in }.replace(
            with: Snapshot(
                events: [event("t", "r", 1, done: ["p/file": [0]]), event("t", "r", 2)],
                finished: ["s": ["s:@a": done, "s:@b": SinkProgress(done: ["p/x": [0]])]]))
        let spools = try SpoolDatabase(in: folder) { _, _ in }
        func spooled(_ event: UnsettledEvent, _ ordinal: Int = 0, suffix: String? = nil) -> SpooledEvent {
            SpooledEvent(event.event, .null, ordinal: ordinal, suffix: suffix)
        }
        let made = [
            spooled(event("s", "@a", 7)), spooled(event("s", "@a", 7), 1), spooled(event("s", "@b", 8)),
            spooled(event("s", "@c", 9)), spooled(event("t", "r", 2)), spooled(event("t", "r", 3)),
            spooled(event("s", "@d", 9), suffix: "x-1"),
        ]
        try spools.update("p/x", SpoolChanges(added: made))
        for round in 1...2 {
            let store = try SnapshotStore(in: folder) { Issue.record("\($0): \($1)") }
            var snapshot = try store.snapshot()
            let new = snapshot.note(spooled: spools.latestReadAtOnce())
            #expect(Set(new.map(\.event.id)) == (round == 1 ? ["s:@a", "s:@c", "t:r:2"] : []))
            try store.add(new)
            #expect(snapshot.events.map(\.progress.done) == [["p/file": [0]], ["p/x": [0]]])
            #expect(
                snapshot.finished["s"]?.mapValues(\.done) == [
                    "s:@a": ["p/file": [0], "p/x": [0, 1]], "s:@b": ["p/x": [0]], "s:@c": ["p/x": [0]],
                ])
        }
    }
}
