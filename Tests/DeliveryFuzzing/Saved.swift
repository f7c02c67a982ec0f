import RxJSON
import RxPipelines
import RxStore

/// The state that a process has left in its state directory.
struct Saved: Sendable {
    /// The events of the components and the logged nodes, in order, by the name of their list.
    var logs: [String: [Item]] = [:]
    /// The unsettled events.
    var unsettled: Set<String> = []
    /// The state of steps, by node and path.
    var cells: [String: [String: JSON]] = [:]
    /// The spooled events, by the key of the sink.
    var spooled: [String: Set<String>] = [:]

    /// Reads the databases, which no process uses.
    init(in folder: String, _ config: Config) throws {
        let snapshots = try Database(at: "\(folder)/events.db")
        guard try !snapshots.run("SELECT name FROM sqlite_master WHERE name = 'state'").isEmpty else { return }
        for row in try snapshots.run("SELECT source, run, sequence FROM unsettled") {
            unsettled.insert(Self.id(row[...]))
        }
        for row in try snapshots.run("SELECT node, cells FROM state") {
            guard let node = row[0].text, let object = try JSON(parsing: row[1].blob ?? []).object else { continue }
            cells[node] = Dictionary(object.members.map { ($0.key, $0.value) }) { $1 }
        }
        let spools = try Database(at: "\(folder)/spool.db")
        if try !spools.run("SELECT name FROM sqlite_master WHERE name = 'spool'").isEmpty {
            for row in try spools.run("SELECT sink, source, run, sequence FROM spool") {
                spooled[row[0].text ?? "", default: []].insert(Self.id(row[1...]))
            }
        }
        let names = config.componentNumbers.map { "log-\($0)" } + config.nodes.filter(\.isLogged).map(\.logName)
        for name in names {
            logs[name] = (cells[name]?["0"]?.array ?? []).enumerated().compactMap { place, entry in
                entry[0]?.string.map { Item(place: place, id: sourceID($0), value: entry[1] ?? .null) }
            }
        }
    }

    /// Whether the list of its component has the file.
    func hasSeen(_ file: Int, of source: String) -> Bool {
        logs.contains { name, log in
            name.hasPrefix("log-") && log.contains { $0.value.sum == file && $0.id.hasPrefix("\(source):") }
        }
    }

    private static func id(_ row: ArraySlice<DatabaseValue>) -> String {
        let values = Array(row)
        return SourceEvent(
            values[0].text ?? "", run: values[1].text ?? "", sequence: UInt64(values[2].integer ?? 0), time: 0
        ).id
    }
}

/// The ID of the source event in the ID of an event at a sink: `a:run:3.1` is the second of `a:run:3`.
func sourceID(_ id: String) -> String { String(id.prefix { $0 != "." }) }
