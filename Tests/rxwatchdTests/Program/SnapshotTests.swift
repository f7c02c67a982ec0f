import Foundation
import RxEngine
import RxJQ
import RxJSON
import RxPipelines
import RxStore
import TestSupport
import Testing

@testable import rxwatchd

/// What one process of the daemon leaves, the next one does.
struct SnapshotTests {
    private let state: StateFolder
    private var folder: String { state.path }

    init() throws {
        state = try StateFolder()
    }

    /// A command that notes that it has begun, waits until the file `go` exists, and notes that it is done.
    private var gatedCommand: String {
        "echo $RX_EVENT_ID >> \(folder)/begun; until [ -e \(folder)/go ]; do sleep 0.02; done; "
            + "echo $RX_EVENT_ID >> \(folder)/done"
    }

    /// A record and a gated command for one event.
    private func gatedConfig(drain: String = "5s") throws -> ConfigFile {
        try ConfigFile(
            """
            daemon: { drain: \(drain) }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, to: [journal: "told {{$event.id}}", command: { run: [sh, -c, '\(gatedCommand)'] }] }
            """)
    }

    @Test func whatIsNotDoneIsDoneByTheNextProcess() async throws {
        defer { state.remove() }
        let config = try gatedConfig(drain: "0s")
        let first = try state.child(config)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun")[0]
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        #expect(first.errorLines.contains { $0.contains("1 event was not settled; kept for the next start") })
        #expect(state.lines("done").isEmpty)

        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        try await eventually("both are done") { state.lines("done").count == 2 }
        #expect(
            second.errorLines.contains {
                $0.contains("1 event was not settled by the previous process; redelivering")
            })
        #expect(state.lines("done")[0] == id && state.lines("done")[1] != id)
        // Once is enough for the journal, which was done with it.
        #expect(first.errorLines.contains { $0.contains("told \(id)") })
        #expect(!second.errorLines.contains { $0.contains("told \(id)") })
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)

        let third = try state.child(config)
        try await third.said("ready after")
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        #expect(!third.errorLines.contains { $0.contains("not settled by the previous process") })
    }

    @Test func eventsOfAKilledProcessAreRedelivered() async throws {
        defer { state.remove() }
        let config = try gatedConfig()
        let first = try state.child(config)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun")[0]
        let store = try SnapshotStore(in: folder) { _, _ in }
        try await eventually("it is kept, and what the journal has done") {
            let kept = try store.snapshot().events
            return kept.map(\.event.id) == [id] && kept.map(\.progress.done) == [["p/journal": [0]]]
        }
        first.send(SIGKILL)
        _ = try? await first.exitCode()
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        // The command of the killed process is not the service manager's here: it may end, too.
        try await eventually("both are done") { Set(state.lines("done")).count == 2 }
        #expect(state.lines("begun").count { $0 == id } == 2)
        #expect(!second.errorLines.contains { $0.contains("told \(id)") })
        try await eventually("nothing is left") { try store.snapshot().events.isEmpty }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    /// Alternately stopped and killed, with a config in which only a sink changes: the state goes on.
    @Test func stateSurvivesStopsAndKills() async throws {
        defer { state.remove() }
        let configs = try ["a", "b", "c"].map { format in
            try ConfigFile(
                """
                sources: { tick: { interval: { every: 20ms, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    steps: [scan: { seed: 0, next: $state + 1 }]
                    to: [file: { path: \(folder)/counts, format: "\(format) {{.}}" }]
                """)
        }
        func saved() throws -> Int {
            let store = try SnapshotStore(in: folder) { _, _ in }
            return try Int(store.snapshot().nodes["p"]?.cells["0"]?.json.number ?? 0)
        }
        let first = try state.child(configs[0])
        try await eventually("it counts") { state.lines("counts").count > 5 }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        let stopped = state.lines("counts").count
        #expect(try saved() == stopped)
        let second = try state.child(configs[1])
        try await eventually("it counts, and that is saved") {
            try saved() > stopped && state.lines("counts").contains { $0.hasPrefix("b") }
        }
        second.send(SIGKILL)
        _ = try? await second.exitCode()
        let killed = try saved()
        // An event that the sink was at when it was killed comes again.
        let open = try SnapshotStore(in: folder) { _, _ in }.snapshot().events.count { $0.progress.done.isEmpty }
        let third = try state.child(configs[2])
        try await eventually("it counts") { state.lines("counts").contains { $0.hasPrefix("c") } }
        third.send(SIGTERM)
        #expect(try await third.exitCode() == 0)
        #expect(state.lines("counts").filter { $0.hasPrefix("b") }.first == "b \(stopped + 1)")
        #expect(state.lines("counts").filter { $0.hasPrefix("c") }.first == "c \(killed + 1 - open)")
    }

    @Test func reloadFinishesRunningCommandsAndPassesTheQueueOn() async throws {
        defer { state.remove() }
        func text(_ name: String) -> String {
            """
            sources: { tick: { interval: { every: 300ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                to:
                  - command:
                      run: [sh, -c, 'echo \(name) $RX_SEQUENCE >> begun; until [ -e go ]; do sleep 0.02; done; echo \(name) $RX_SEQUENCE >> done']
                      directory: \(folder)
              gone\(name): { from: tick, steps: [take: 1], to: [command: { run: [sh, -c, 'until [ -e go ]; do sleep 0.02; done; echo x >> gone'], directory: \(folder) }] }
            """
        }
        let config = try ConfigFile(text("old"))
        let child = try state.child(config)
        try await eventually("it is at the first") { state.lines("begun") == ["old 0"] }
        try await child.said("ready after")
        try config.write(text("new"))
        child.send(SIGHUP)
        try await child.said("reloaded")
        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        try await eventually("they go on: \(state.lines("done"))") {
            state.lines("done").count >= 4 && state.lines("gone") == ["x"]
        }
        let done = state.lines("done").map { $0.split(separator: " ").map(String.init) }
        #expect(done.map(\.[0]) == ["old"] + Array(repeating: "new", count: done.count - 1))
        #expect(done.map(\.[1]) == (0..<done.count).map(String.init))
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(!child.errorLines.contains { $0.contains("unfinished event") })
    }

    /// A command in a step whose output waits further down does not run again.
    @Test(arguments: ["concatMap", "flatMap", "flatMapFirst", "flatMapLatest"])
    func outputOfAnInnerSourceIsNotMadeAgain(step: String) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [\(step): { command: { run: [sh, -c, "echo $event.id >> \(folder)/ran"] }, map: $event.id }, delay: 1h]
                to: [stdout]
            """)
        for count in 1...3 {
            let child = try state.child(config)
            try await eventually("the command of the new event runs") { state.lines("ran").count >= count }
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
            #expect(child.errorLines.contains { $0.contains("not settled; kept for the next start") })
            #expect(state.lines("ran").count == count)
            #expect(try SnapshotStore(in: folder) { _, _ in }.snapshot().events.count == count)
        }
    }

    /// Events whose commands were ended in favour of later ones, or not begun because of an earlier one, are over
    /// there, while another pipeline still holds them: the next process must not begin these commands behind those of
    /// others.
    @Test(arguments: ["flatMapLatest", "flatMapFirst"])
    func eventsWithoutAnInnerSourceAreNoted(step: String) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 200ms, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [\(step): { command: { run: [sh, -c, "echo {{.tick}} >> \(folder)/begun; exec sleep 0.3"] } }]
                to: [stdout]
              h: { from: tick, steps: [delay: 1h], to: [stdout] }
            """)
        let child = try state.child(config)
        try await eventually("several have begun") { state.lines("begun").count > 2 }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        let left = try SnapshotStore(in: folder) { _, _ in }.snapshot().events
        #expect(left.count > 2)
        for event in left.dropLast() { #expect(event.results.made.count == 1) }
        #expect(left.contains { $0.results.made.map(\.output) == [nil] })
    }

    @Test func reloadBeforeReadyKeepsRedeliveredEvents() async throws {
        defer { state.remove() }
        try SnapshotStore(in: folder) { _, _ in }.replace(
            with: Snapshot(events: [
                UnsettledEvent(SourceEvent("tick", run: "r", sequence: 4, time: 1, isRedelivered: true), ["tick": 4])
            ]))
        let config = try ConfigFile(
            """
            sources: { tick: { interval: 1h } }
            pipelines: { p: { from: tick, to: [command: { run: [sh, -c, 'sleep 0.1; echo $RX_EVENT_ID >> \(folder)/done'] }] } }
            """)
        let child = try state.child(config)
        try await child.said("is starting with")
        child.send(SIGHUP)
        try await child.said("ready after")
        try await eventually("it is done") { state.lines("done") == ["tick:r:4"] }
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    /// What was found while the daemon starts, and is on its way when it is told to stop or to reload, is not lost.
    @Test(arguments: [SIGTERM, SIGHUP]) func signalBeforeReadyKeepsChangesOfFiles(signal: Int32) async throws {
        defer { state.remove() }
        let input = "\(folder)/in"
        try FileManager.default.createDirectory(atPath: input, withIntermediateDirectories: false)
        let config = try ConfigFile(
            """
            sources: { in: { files: { paths: \(input), events: created } } }
            pipelines: { p: { from: in, to: [file: { path: \(folder)/out, format: "{{.path}}" }] } }
            """)
        let first = try state.child(config)
        try await first.said("ready after")
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        for number in 0..<3000 {
            close(open("\(input)/\(number)", O_CREAT | O_WRONLY, 0o600))
        }
        var last = try state.child(config)
        try await last.said("is starting with")
        last.send(signal)
        if signal == SIGTERM {
            #expect(try await last.exitCode() == 0)
            last = try state.child(config)
        }
        try await last.said("ready after")
        try await eventually("all are told: \(Set(state.lines("out")).count)") {
            Set(state.lines("out")).count == 3000
        }
        last.send(SIGTERM)
        #expect(try await last.exitCode() == 0)
        #expect(state.lines("out").count == 3000)
    }

    /// A reload has replaced the source of an event. The sink is still at it when the daemon stops.
    @Test func eventsOfAReplacedSourceAreKept() async throws {
        defer { state.remove() }
        let config = try gatedConfig(drain: "200ms")
        let text = try String(contentsOfFile: config.path, encoding: .utf8)
        let first = try state.child(config)
        try await eventually("the command has begun") { state.lines("begun").count == 1 }
        let id = state.lines("begun")[0]
        try config.write(text.replacingOccurrences(of: "delay: 0s", with: "delay: 30min"))
        first.send(SIGHUP)
        try await first.said("reloaded")
        try await eventually("the new sink has begun it") { state.lines("begun") == [id, id] }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        #expect(first.errorLines.contains { $0.contains("1 event was not settled; kept for the next start") })

        _ = FileManager.default.createFile(atPath: "\(folder)/go", contents: nil)
        let second = try state.child(config)
        try await eventually("it is done") { state.lines("done") == [id] }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
    }

    @Test func keepStoresTheDifference() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        func event(_ number: UInt64, done: [String: Set<Int>] = [:]) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress(done: done))
        }
        func settled(_ ids: [String]) async throws {
            try await eventually("\(ids) are kept") { try store.snapshot().events.map(\.event.id) == ids }
        }
        func keep(_ events: UnsettledEvent..., in store: SnapshotStore) async throws {
            let isDone = Box(false)
            // Not while the one before is being written.
            try await eventually("it takes them") {
                store.keep(Snapshot(events: events)) { _ in isDone.update { $0 = true } }
            }
            try await eventually("it is done") { isDone.value }
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
        // So is one that comes before the event is stored.
        store.note(event(3, done: ["p/z": [0]]))
        try await keep(event(1), event(2), event(3), in: store)
        #expect(try store.snapshot().events.last?.progress.done == ["p/z": [0]])
        // Another process that begins with what is there does the same.
        let other = try SnapshotStore(in: folder) { _, _ in }
        try await keep(event(2), in: other)
        try await settled(["s:r:2"])
        try await keep(in: other)
        try await settled([])
        // After the final write nothing is stored.
        try other.replace(with: Snapshot(events: [event(5)]))
        try await eventually("it takes them") { other.keep(Snapshot(events: [event(6)])) }
        try await eventually("it is done with that") { other.keep(Snapshot()) }
        #expect(try other.snapshot().events.map(\.event.id) == ["s:r:5"])
    }

    /// A save that finds another one being written follows it at once.
    @Test func startWaitsOnlyForTheSnapshot() throws {
        defer { state.remove() }
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.test")
        let saver = SnapshotSaver(try SnapshotStore(in: folder) { _, _ in }, on: scheduler) { _ in }
        let plan = try Plan.read(
            "sources: { tick: { interval: 1h } }\npipelines: { p: { from: tick, to: [stdout] } }".utf8, file: "t.yaml")
        let graph = Graph(
            plan, generation: { 1 }, host: Host(),
            records: RecordOutbox(writesToJournal: false, print: { _ in }), printLine: { $1.end(.written) },
            makeScheduler: { _ in scheduler })
        /// Waits until the scheduler has saved and captured what was to be saved before.
        func waitForTurns() {
            for _ in 0..<4 {
                let turn = DispatchSemaphore(value: 0)
                _ = scheduler.schedule(()) {
                    turn.signal()
                    return Disposables.create()
                }
                turn.wait()
            }
        }
        let other = try Database(at: "\(folder)/events.db")
        let took = Box(Duration.zero)
        for _ in 0..<5 {
            // The first snapshot is being written for as long as this is locked.
            try other.run("BEGIN IMMEDIATE")
            saver.show(graph)
            waitForTurns()
            let thread = TestSupport.Thread {
                let start = ContinuousClock.now
                saver.show(graph, waiting: .seconds(20))
                took.update { $0 += ContinuousClock.now - start }
            }
            waitForTurns()
            try other.run("COMMIT")
            thread.join()
        }
        #expect(took.value < .seconds(4))
        saver.stop()
        graph.dispose()
    }

    /// A stop with much that is unsettled does not wait until all of it is written again.
    @Test func lastSnapshotIsStoredByDifference() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let events = (0..<100 as Range<UInt64>).map { number in
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress())
        }
        let isKept = Box(false)
        store.keep(Snapshot(events: Array(events.dropLast()))) { _ in isKept.update { $0 = true } }
        try await eventually("it is kept") { isKept.value }
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

    @Test func snapshotIsReadAsItWasWritten() async throws {
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
            "p": Self.allotment(of: "journal", [2, 1], removed: [3]), "q": Self.allotment(of: "http", [], removed: [1]),
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

    private static func allotment(of kind: String, _ sinks: [Int], removed: [Int] = []) -> SinkAllotment {
        func entries(_ numbers: [Int]) -> [SinkAllotment.Entry] {
            numbers.map { SinkAllotment.Entry(kind: kind, number: $0, content: "{1:\($0)") }
        }
        return SinkAllotment(sinks: entries(sinks), removed: entries(removed))
    }

    /// Before anything else is.
    @Test func namesOfSinksAreStored() throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let first = ["p": Self.allotment(of: "http", [1, 2]), "q": Self.allotment(of: "file", [1])]
        try store.keep(first)
        #expect(try SnapshotStore(in: folder) { _, _ in }.snapshot().sinks == first)
        let second = ["p": Self.allotment(of: "http", [3, 1], removed: [2]), "r": Self.allotment(of: "file", [1])]
        try store.keep(second)
        #expect(try store.snapshot().sinks == second)
        // One that was captured before.
        try store.replace(with: Snapshot(sinks: first))
        #expect(try SnapshotStore(in: folder) { _, _ in }.snapshot().sinks == second)
    }

    @Test func notesAreStoredAtOnce() async throws {
        defer { state.remove() }
        let store = try SnapshotStore(in: folder) { _, _ in }
        let event = SourceEvent("s", run: "r", sequence: 0, time: 1)
        let isKept = Box(false)
        store.keep(Snapshot(events: [UnsettledEvent(event, .null)])) { _ in isKept.update { $0 = true } }
        try await eventually("it is kept") { isKept.value }
        store.note(UnsettledEvent(event, .null, SinkProgress(done: ["p/x": [0]])))
        let isWritten = Box(false)
        // It may be by now.
        if !store.whenWritten({ isWritten.update { $0 = true } }) { isWritten.update { $0 = true } }
        try await eventually("it is written") { isWritten.value }
        #expect(!store.whenWritten {})
        try await eventually("it is noted") {
            try store.snapshot().events.map(\.progress.done) == [["p/x": [0]]]
        }
    }

    /// What is noted of events that no snapshot has is kept until the source has emitted them again, and a later
    /// snapshot has them.
    @Test func notesAreKeptUntilASnapshotCoversThem() async throws {
        defer { state.remove() }
        func event(_ name: String) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: name, sequence: 0, time: 1), .null, SinkProgress(done: ["p/x": [0]]))
        }
        func keep(_ events: [UnsettledEvent] = [], notedBefore mark: Int64?, in store: SnapshotStore) async throws {
            let isDone = Box(false)
            try await eventually("it takes them") {
                store.keep(Snapshot(events: events), notedBefore: mark) { _ in isDone.update { $0 = true } }
            }
            try await eventually("it is done") { isDone.value }
        }
        func noted(in store: SnapshotStore) throws -> [String] {
            try store.snapshot().finished["s"]?.keys.sorted() ?? []
        }
        let first = try SnapshotStore(in: folder) { _, _ in }
        first.note(event("@a"))
        let mark = first.mark()
        first.note(event("@b"))
        try await eventually("both are noted") { try noted(in: first) == ["s:@a", "s:@b"] }
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

        // What is left of it when the process stops is for the next.
        try second.replace(with: Snapshot(finished: ["s": ["s:@d": SinkProgress(done: ["p/x": [0]])]]))
        let third = try SnapshotStore(in: folder) { _, _ in }
        #expect(try noted(in: third) == ["s:@d"])
        // Noted of an event that is stored: both say so.
        try await keep([event("@e")], notedBefore: third.mark(), in: third)
        var more = event("@e")
        more.progress.add(SinkProgress(done: ["p/y": [0]]))
        third.note(more)
        try await eventually("it is noted") { try third.snapshot().events.map(\.progress) == [more.progress] }
        let fourth = try SnapshotStore(in: folder) { _, _ in }
        let left = try fourth.snapshot()
        #expect(left.events.map(\.progress) == [more.progress])
        try await keep(left.events, notedBefore: fourth.mark(), in: fourth)
        fourth.release("s")
        try await keep(left.events, notedBefore: fourth.mark(), in: fourth)
        #expect(try fourth.snapshot().events.map(\.progress) == [more.progress] && noted(in: fourth) == [])
    }

    /// A sink finishes a redelivered event after the first snapshot was captured, and before that is stored.
    @Test func firstSnapshotKeepsNotesThatAreLater() async throws {
        defer { state.remove() }
        var event = UnsettledEvent(SourceEvent("s", run: "@a", sequence: 0, time: 1), .null)
        let first = try SnapshotStore(in: folder) { _, _ in }
        let isKept = Box(0)
        first.keep(Snapshot(events: [event])) { _ in isKept.update { $0 += 1 } }
        try await eventually("it is kept") { isKept.value == 1 }
        event.progress.add(SinkProgress(done: ["p/x": [0]]))
        first.note(event)
        try await eventually("it is noted") { try first.snapshot().events.map(\.progress) == [event.progress] }

        let second = try SnapshotStore(in: folder) { _, _ in }
        let captured = (mark: second.mark(), snapshot: try second.snapshot())
        event.progress.add(SinkProgress(done: ["p/y": [0]]))
        second.note(event)
        second.keep(captured.snapshot, notedBefore: captured.mark) { _ in isKept.update { $0 += 1 } }
        try await eventually("it is kept") { isKept.value == 2 }
        #expect(try second.snapshot().events.map(\.progress) == [event.progress])
    }

    @Test func storeWithoutAFormatIsTakenOver() throws {
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

    @Test func storeOfALaterFormatIsSetAside() throws {
        defer { state.remove() }
        try Database(at: "\(folder)/events.db").run("PRAGMA user_version = 99")
        let reasons = Box<[String]>([])
        let store = try SnapshotStore(in: folder) { reasons.append($1) }
        #expect(reasons.value == ["its format is 99, of a later version"])
        #expect(try store.snapshot().events.isEmpty)
    }

    /// What the previous process left was not given to this one: it stays for the next.
    @Test func storeThatIsOpenedLaterKeepsWhatIsThere() async throws {
        defer { state.remove() }
        func event(_ number: UInt64, done: [String: Set<Int>] = [:]) -> UnsettledEvent {
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress(done: done))
        }
        let later = "\(folder)/later"
        do {
            let before = try SnapshotStore(in: folder) { _, _ in }
            try before.replace(with: Snapshot(events: [event(0), event(1, done: ["p/x": [0]])]))
        }
        let told = Box<[Int]>([])
        let store = SnapshotStore(openingLaterIn: later) {
            Issue.record("\($0): \($1)")
        } onLateOpening: {
            told.append($0)
        }
        #expect(throws: DatabaseError.self) { try store.snapshot() }
        let results = Box<[Bool]>([])
        func keep(_ events: UnsettledEvent...) async throws {
            let count = results.value.count
            try await eventually("it takes them") {
                store.keep(Snapshot(events: events), notedBefore: store.mark()) { error in
                    results.update { $0.append(error == nil) }
                }
            }
            try await eventually("it is done") { results.value.count > count }
        }
        try await keep(event(7))
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: "\(folder)/events.db", toPath: "\(later)/events.db")
        try await keep(event(7), event(8))
        try await keep(event(8))
        #expect(results.value == [false, true, true] && told.value == [2])
        #expect(
            try SnapshotStore(in: later) { _, _ in }.snapshot().events.map(\.event.id) == ["s:r:0", "s:r:1", "s:r:8"])
        try store.replace(with: Snapshot(events: [event(9)]))
        let last = try SnapshotStore(in: later) { _, _ in }.snapshot()
        #expect(last.events.map(\.event.id) == ["s:r:0", "s:r:1", "s:r:9"])
        #expect(last.events.map(\.progress.done) == [[:], ["p/x": [0]], [:]])
    }

    @Test func aDamagedStoreIsSetAside() throws {
        defer { state.remove() }
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: "\(folder)/events.db"))
        let told = Box<[String]>([])
        let store = try SnapshotStore(in: folder) { aside, _ in told.append(aside) }
        #expect(told.value == ["\(folder)/events.db.damaged"] && FileManager.default.fileExists(atPath: told.value[0]))
        #expect(try store.snapshot().events.isEmpty)
    }

    /// A row that holds something else than was written: it is lost alone, and recorded.
    @Test(arguments: [("unsettled", "value"), ("state", "cells"), ("finished", "done")])
    func rowThatCannotBeReadIsLostAlone(table: String, column: String) throws {
        defer { state.remove() }
        let snapshot = Snapshot(
            events: (0..<3).map { number in
                UnsettledEvent(
                    SourceEvent("s", run: "r", sequence: number, time: 1), .null, SinkProgress(done: ["p/x": [0]]),
                    order: Int(number) + 1)
            },
            nodes: [
                "p": NodeState(content: "c", run: "r", cells: ["0": JQValue(1)]),
                "q": NodeState(content: "d", run: "r", cells: [:]),
            ],
            finished: ["s": ["s:@a": SinkProgress(done: ["p/x": [0]]), "s:@b": SinkProgress(done: ["p/x": [1]])]],
            sinks: ["p": SinkAllotment(sinks: [SinkAllotment.Entry(kind: "x", number: 1, content: "c")], removed: [])])
        try SnapshotStore(in: folder) { _, _ in }.replace(with: snapshot)
        do {
            let key = ["unsettled": "sequence = 1", "state": "node = 'p'", "finished": "id = 's:@a'"][table] ?? ""
            try Database(at: "\(folder)/events.db").run("UPDATE \(table) SET \(column) = X'7B' WHERE \(key)")
        }
        let told = Box<[String]>([])
        let read = try SnapshotStore(in: folder) { told.append("\($0) \($1)") }.snapshot()
        let (events, nodes) = (table == "unsettled" ? 2 : 3, table == "state" ? 1 : 2)
        #expect(
            told.value == [
                "\(folder)/events.db.damaged 1 row of '\(table)' cannot be read; \(events) unsettled events and the "
                    + "state of \(counted(nodes, "node")) are kept"
            ])
        #expect(read.events.map(\.event.sequence) == (table == "unsettled" ? [0, 2] : [0, 1, 2]))
        #expect(read.nodes.keys.sorted() == (table == "state" ? ["q"] : ["p", "q"]) && read.sinks == snapshot.sinks)
        #expect(read.finished["s"]?.keys.sorted() == (table == "finished" ? ["s:@b"] : ["s:@a", "s:@b"]))
        #expect(try SnapshotStore(in: folder) { Issue.record("\($0): \($1)") }.snapshot().events.count == events)
    }

    /// A damaged page hides the rows in it, but none before or behind it.
    @Test func rowsOnBothSidesOfADamagedPageAreKept() throws {
        defer { state.remove() }
        let events = (0..<300).map { number in
            UnsettledEvent(
                SourceEvent("s", run: "r", sequence: number, time: 1),
                .string(String(repeating: "<\(number)>", count: 100)), order: Int(number) + 1)
        }
        try SnapshotStore(in: folder) { _, _ in }.replace(with: Snapshot(events: events))
        let url = URL(fileURLWithPath: "\(folder)/events.db")
        var data = try Data(contentsOf: url)
        // A leaf of the tree, with an event in the middle.
        let place = try #require(
            stride(from: 0, to: data.count, by: 4096).first { place in
                let page = data[place..<place + 4096]
                return page.first == 0x0A && (100..<200).contains { page.range(of: Data("<\($0)><\($0)>".utf8)) != nil }
            })
        data.replaceSubrange(place..<place + 4096, with: Data(repeating: 0xFF, count: 4096))
        try data.write(to: url)
        let told = Box<[String]>([])
        let kept = try SnapshotStore(in: folder) { told.append($1) }.snapshot().events.map(\.event.sequence)
        #expect(kept.count > 280 && kept.count < 300 && kept == kept.sorted() && kept.first == 0 && kept.last == 299)
        #expect(
            told.value == [
                "database disk image is malformed; \(kept.count) unsettled events and the state of 0 nodes are kept"
            ])
    }

    /// A process that is killed between the storing of an event in a spool and the note of that.
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

    /// A page that is read again only when the process stops.
    @Test func storeThatTurnsOutDamagedAtTheStopIsSetAsideThen() throws {
        defer { state.remove() }
        let value = JSON.string(String(repeating: "x", count: 30_000))
        let events = (0..<300).map { UnsettledEvent(SourceEvent("s", run: "r", sequence: $0, time: 1), value) }
        try SnapshotStore(in: folder) { _, _ in }.replace(with: Snapshot(events: events))
        let told = Box<[String]>([])
        let store = try SnapshotStore(in: folder) { told.append($1) }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder)/events.db"))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 10 * 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(size) - 10 * 4096))
        try file.close()
        try store.replace(with: Snapshot(events: events.suffix(2)))
        #expect(
            told.value == [
                "database disk image is malformed; 0 unsettled events and the state of 0 nodes are kept"
            ])
        let next = try SnapshotStore(in: folder) { Issue.record("\($0): \($1)") }
        #expect(try next.snapshot().events.map(\.event.sequence) == [298, 299])
    }

    /// An event whose place another one has taken is not acted on after that one, whoever else holds it.
    @Test(arguments: [("latest", ["a", "c"]), ("drop", ["a"]), ("cancel", ["a", "c"])])
    func eventThatAnotherReplacedInASinkDoesNotComeBack(overlap: String, expected: [String]) async throws {
        defer { state.remove() }
        let config = try ConfigFile(
            """
            sources: { in: { files: { paths: [\(folder)/in], events: [created] } } }
            pipelines:
              p:
                from: in
                to:
                  - command:
                      run: [sh, -c, 'echo "$1" >> \(folder)/acts; exec sleep 1', sh, '{{.path | split("/")[-1]}}']
                      overlap: \(overlap)
                  - file: { path: \(folder)/seen, format: "{{.path}}" }
              held: { from: in, steps: [delay: 1h], to: [journal: "{{.path}}"] }
            """)
        #expect(mkdir("\(folder)/in", 0o700) == 0)
        let first = try state.child(config)
        try await first.said("ready after")
        for (number, name) in ["a", "b", "c"].enumerated() {
            close(open("\(folder)/in/\(name)", O_CREAT | O_WRONLY, 0o600))
            try await eventually("it is seen") { state.lines("seen").count == number + 1 }
            try await eventually("the first is acted on") { state.lines("acts").first == "a" }
        }
        try await eventually("the last is acted on") { state.lines("acts").last == expected.last }
        first.send(SIGTERM)
        #expect(try await first.exitCode() == 0)
        let before = state.lines("acts")
        #expect(before.filter { $0 != "b" } == expected)
        let second = try state.child(config)
        try await second.said("ready after")
        close(open("\(folder)/in/d", O_CREAT | O_WRONLY, 0o600))
        try await eventually("the next is acted on") { state.lines("acts").contains("d") }
        second.send(SIGTERM)
        #expect(try await second.exitCode() == 0)
        #expect(state.lines("acts") == before + ["d"])
    }

    @Test func itWorksWithoutAStore() async throws {
        let config = try ConfigFile(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines: { p: { from: tick, to: [journal: "told"] } }
            """)
        let child = try Child("--config", config.path, environment: ["STATE_DIRECTORY=\(folder)/none"])
        try await child.said("told")
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
        #expect(
            child.errorLines.contains {
                $0.contains("opening the store of unsettled events and state failed: unable to open")
            })
        state.remove()
    }
}
