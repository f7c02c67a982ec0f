import RxJSON
import RxPipelines

/// What nodes have done in the last minutes, in a bounded amount of memory.
///
/// The same kind of notification of a node shares one entry for some seconds: it has the first line, and a number. Of an
/// endless flood, this costs one line per interval.
struct PageEvents {
    /// The notifications of a node that share an entry.
    struct Key: Hashable {
        /// What the notification is, such as a failure of a sink with a message.
        private enum Kind: Hashable {
            case event, replayed
            case failure(sink: String?, message: Int)
            case phase(NodeActivity.Phase)
        }

        private let kind: Kind

        /// - Returns: `nil` for what the page does not show.
        init?(_ notification: TapRegistry.Notification) {
            switch notification {
            case .emitted(let event): kind = event.isReplayed ? .replayed : .event
            // The hash value, since a message may be long.
            case .failed(let failure): kind = .failure(sink: failure.sink, message: failure.message.hashValue)
            case .phase(let phase): kind = .phase(phase)
            case .settled: return nil
            }
        }
    }

    /// Notifications of a node in an interval: the line of the first one, and their number.
    private struct Entry {
        let key: Key
        let time: Double
        var count = 1
        let line: [UInt8]
    }

    /// The entries of a node, the oldest first, and how many bytes their lines have.
    private struct Node {
        var entries: [Entry] = []
        var bytes = 0

        /// Counts a notification, in place: it is called for each event.
        ///
        /// - Parameter start: when the interval has begun.
        /// - Returns: `false` if it needs an entry.
        mutating func count(_ key: Key, since start: Double) -> Bool {
            var recent = 0
            // The entries of this interval are the last ones.
            for index in entries.indices.reversed() {
                if entries[index].time < start { return false }
                if entries[index].key == key {
                    entries[index].count += 1
                    return true
                }
                recent += 1
            }
            return recent >= PageEvents.maximumPerInterval
        }

        mutating func removeFirst() -> Int {
            let freed = entries.removeFirst().line.count
            bytes -= freed
            return freed
        }
    }

    /// The seconds for which notifications share an entry.
    static let interval = 10.0
    /// The most entries that a node begins in an interval, if its failures are all different.
    private static let maximumPerInterval = 16

    private let maximumBytes: Int
    private var nodes: [String: Node] = [:]
    /// How many bytes all lines have.
    private(set) var bytes = 0

    /// - Parameter maximumBytes: the most bytes of all lines.
    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Counts a notification.
    ///
    /// - Returns: `false` if it needs an entry, which ``add(_:_:at:_:)`` makes of its line.
    mutating func count(_ node: String, _ key: Key, at time: Double) -> Bool {
        nodes[node]?.count(key, since: Self.start(time)) ?? false
    }

    /// Adds an entry. If all have too many bytes then, the node with the most loses its oldest ones.
    mutating func add(_ node: String, _ key: Key, at time: Double, _ line: [UInt8]) {
        guard line.count <= maximumBytes, !count(node, key, at: time) else { return }
        nodes[node, default: Node()].entries.append(Entry(key: key, time: time, line: line))
        nodes[node]?.bytes += line.count
        bytes += line.count
        while bytes > maximumBytes {
            guard let largest = nodes.max(by: { $0.value.bytes < $1.value.bytes })?.key,
                let freed = nodes[largest]?.removeFirst()
            else { return }
            bytes -= freed
            if nodes[largest]?.entries.isEmpty == true { nodes[largest] = nil }
        }
    }

    /// Removes the entries that began before this time.
    mutating func removeOld(before time: Double) {
        for name in Array(nodes.keys) {
            while let first = nodes[name]?.entries.first, first.time < time { bytes -= nodes[name]?.removeFirst() ?? 0 }
            if nodes[name]?.entries.isEmpty == true { nodes[name] = nil }
        }
    }

    /// All entries as a JSON array: of each node, the oldest first.
    var json: [UInt8] {
        let entries = nodes.values.flatMap(\.entries).map { entry in
            Array("{\"count\":\(entry.count),\"line\":".utf8) + entry.line + [UInt8(ascii: "}")]
        }
        return [UInt8(ascii: "[")] + Array(entries.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }

    /// The intervals of all nodes begin at the same time, so that an event and what it causes are mostly in the same one.
    private static func start(_ time: Double) -> Double {
        (time / interval).rounded(.down) * interval
    }
}
