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
    @Test func damagedStoreIsSetAside() throws {
        defer { state.remove() }
        try Data(repeating: 7, count: 10_000).write(to: URL(fileURLWithPath: "\(folder)/events.db"))
        let reports = Cell<[String]>([])
        let store = try SnapshotStore(in: folder) { aside, _ in reports.append(aside) }
        #expect(
            reports.value == ["\(folder)/events.db.damaged"] && FileManager.default.fileExists(atPath: reports.value[0])
        )
        #expect(try store.snapshot().events.isEmpty)
    }

    /// A row with another content than was written is lost alone, and recorded.
    @Test(arguments: [("unsettled", "value"), ("state", "cells"), ("finished", "done")])
    func onlyUnreadableRowIsLost(table: String, column: String) throws {
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
            sinks: ["p": SinkNames(sinks: [SinkNames.Entry(kind: "x", number: 1, content: "c")], removed: [])])
        try SnapshotStore(in: folder) { _, _ in }.replace(with: snapshot)
        do {
            let key = ["unsettled": "sequence = 1", "state": "node = 'p'", "finished": "id = 's:@a'"][table] ?? ""
            try Database(at: "\(folder)/events.db").run("UPDATE \(table) SET \(column) = X'7B' WHERE \(key)")
        }
        let reports = Cell<[String]>([])
        let read = try SnapshotStore(in: folder) { reports.append("\($0) \($1)") }.snapshot()
        let (events, nodes) = (table == "unsettled" ? 2 : 3, table == "state" ? 1 : 2)
        #expect(
            reports.value == [
                "\(folder)/events.db.damaged 1 row of '\(table)' cannot be read; \(events) unsettled events and the "
                    + "state of \(counted(nodes, "node")) are kept"
            ])
        #expect(read.events.map(\.event.sequence) == (table == "unsettled" ? [0, 2] : [0, 1, 2]))
        #expect(read.nodes.keys.sorted() == (table == "state" ? ["q"] : ["p", "q"]) && read.sinks == snapshot.sinks)
        #expect(read.finished["s"]?.keys.sorted() == (table == "finished" ? ["s:@b"] : ["s:@a", "s:@b"]))
        #expect(try SnapshotStore(in: folder) { Issue.record("\($0): \($1)") }.snapshot().events.count == events)
    }

    /// A command of the daemon could have written a row that takes more memory than the daemon may have.
    @Test(arguments: [
        (#"printf('"%.*c"', 200000, 'x')"#, "a row is larger than the limit"),
        ("'[' || printf('%.*c', 90000, ',') || '0]'", "a row would take more memory"),
    ])
    func rowBeyondMemoryIsLost(value: String, reason: String) throws {
        defer { state.remove() }
        let limits = StateLimits(row: 100_000, values: 1 << 20) { _ in true }
        let events = Self.events(5)
        try SnapshotStore(in: folder, limits) { _, _ in }.replace(with: Snapshot(events: events))
        try Database(at: "\(folder)/events.db").run(
            "UPDATE unsettled SET value = CAST(\(value) AS BLOB) WHERE sequence = 3")
        let reports = Cell<[String]>([])
        let read = try SnapshotStore(in: folder, limits) { reports.append($1) }.snapshot()
        #expect(reports.value.count == 1 && reports.value.first?.hasPrefix(reason) == true, "\(reports.value)")
        #expect(read.events.map(\.event.sequence) == [0, 1, 2, 4])
        #expect(try SnapshotStore(in: folder, limits) { Issue.record("\($1)") }.snapshot().events.count == 4)
    }

    /// Events that there is no memory for stay stored for a later process, whatever this one stores.
    @Test func eventsWithoutRoomStayStored() async throws {
        defer { state.remove() }
        let large = JSON.string(String(repeating: "x", count: 300_000))
        let events = Self.events(6, large)
        let nodes = ["p": NodeState(content: "c", run: "r", cells: [:])]
        try SnapshotStore(in: folder) { _, _ in }.replace(with: Snapshot(events: events, nodes: nodes))
        let room = Cell(1)
        let limits = StateLimits(row: 1 << 20, values: 1 << 20) { _ in
            room.update { $0 -= 1 }
            return room.value >= 0
        }
        let rests = Cell<[Int]>([])
        let store = SnapshotStore(
            openingLaterIn: folder, limits, onDamage: { Issue.record("\($1)") }, onRest: { rests.append($0) })
        var first = try store.snapshot()
        #expect(
            first.events.map(\.event.sequence) == [0, 1, 2] && rests.value == [3] && first.nodes.keys.sorted() == ["p"])
        first.events.removeFirst()
        let isKept = Cell(false)
        store.keep(first) { error in
            #expect(error == nil)
            isKept.update { $0 = true }
        }
        try await eventually("the snapshot is stored") { isKept.value }
        try store.replace(with: Snapshot(events: [first.events[0]], nodes: nodes))
        let last = try SnapshotStore(in: folder) { Issue.record("\($1)") }.snapshot()
        #expect(last.events.map(\.event.sequence) == [1, 3, 4, 5])
    }

    private static func events(_ count: UInt64, _ value: JSON = .null) -> [UnsettledEvent] {
        (0..<count).map { number in
            UnsettledEvent(SourceEvent("s", run: "r", sequence: number, time: 1), value, order: Int(number) + 1)
        }
    }

    /// A damaged page hides the rows in it, but none before or after it.
    @Test func rowsBeforeAndAfterDamagedPageAreKept() throws {
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
        let reports = Cell<[String]>([])
        let kept = try SnapshotStore(in: folder) { reports.append($1) }.snapshot().events.map(\.event.sequence)
        #expect(kept.count > 280 && kept.count < 300 && kept == kept.sorted() && kept.first == 0 && kept.last == 299)
        #expect(
            reports.value == [
                "database disk image is malformed; \(kept.count) unsettled events and the state of 0 nodes are kept"
            ])
    }

    /// A page that is read again only when the process stops.
    @Test func damageFoundAtStopSetsStoreAside() throws {
        defer { state.remove() }
        let value = JSON.string(String(repeating: "x", count: 30_000))
        let events = (0..<300).map { UnsettledEvent(SourceEvent("s", run: "r", sequence: $0, time: 1), value) }
        try SnapshotStore(in: folder) { _, _ in }.replace(with: Snapshot(events: events))
        let reports = Cell<[String]>([])
        let store = try SnapshotStore(in: folder) { reports.append($1) }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder)/events.db"))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 10 * 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(size) - 10 * 4096))
        try file.close()
        try store.replace(with: Snapshot(events: events.suffix(2)))
        #expect(
            reports.value == [
                "database disk image is malformed; 0 unsettled events and the state of 0 nodes are kept"
            ])
        let next = try SnapshotStore(in: folder) { Issue.record("\($0): \($1)") }
        #expect(try next.snapshot().events.map(\.event.sequence) == [298, 299])
    }
}
