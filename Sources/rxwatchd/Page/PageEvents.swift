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
            /// Failures of a sink, or of the node, whose messages have no entries of their own.
            case otherFailures(sink: String?)
            case phase(NodeActivity.Phase)
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// Whether a node may have any number of such keys.
        fileprivate var isFailure: Bool { if case .failure = kind { true } else { false } }

        /// Whether the entry is for failures with any messages.
        var isOtherFailures: Bool { if case .otherFailures = kind { true } else { false } }

        /// The key of a failure without an entry of its own.
        fileprivate var withoutMessage: Key {
            if case .failure(let sink, _) = kind { Key(.otherFailures(sink: sink)) } else { self }
        }

        /// - Returns: `nil` for what the page does not show.
        init?(_ notification: TapRegistry.Notification) {
            switch notification {
            case .emitted(let event): kind = event.isReplayed ? .replayed : .event
            // The hash value, since a message may be long.
            case .failed(let failure): kind = .failure(sink: failure.sink, message: failure.message.hashValue)
            case .phase(let phase): kind = .phase(phase)
            case .settled, .dropped, .subscription: return nil
            }
        }
    }

    /// Notifications of a node in an interval: the line of the first one, and their number.
    private struct Entry {
        let key: Key
        let interval: Int
        var count = 1
        let line: [UInt8]
    }

    /// The entries of a node, the oldest first, and how many bytes their lines have.
    private struct Node {
        var entries: [Entry] = []
        var bytes = 0

        /// Counts a notification, in place: it is called for each event.
        ///
        /// - Returns: the key of the entry that it needs; `nil` if it is counted.
        mutating func count(_ key: Key, in interval: Int) -> Key? {
            var failures = 0
            // The entries of this interval are the last ones.
            for index in entries.indices.reversed() {
                guard entries[index].interval == interval else { break }
                if entries[index].key == key {
                    entries[index].count += 1
                    return nil
                }
                if entries[index].key.isFailure { failures += 1 }
            }
            // The number of other keys is bounded anyway.
            guard key.isFailure, failures >= PageEvents.maximumFailures else { return key }
            return count(key.withoutMessage, in: interval)
        }

        mutating func removeFirst() -> Int {
            let freed = entries.removeFirst().line.count
            bytes -= freed
            return freed
        }
    }

    /// The seconds of an interval, in which notifications share an entry. The owner counts the intervals, since the system's
    /// clock may be set back.
    static let seconds = 10
    /// The most entries of failures that a node begins in an interval, if they are all different. Further ones share an
    /// entry for each sink.
    private static let maximumFailures = 16

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
    /// - Returns: the key of the entry that it needs, which ``add(_:_:in:_:)`` makes of its line; `nil` if it is counted.
    mutating func count(_ node: String, _ key: Key, in interval: Int) -> Key? {
        guard let index = nodes.index(forKey: node) else { return key }
        return nodes.values[index].count(key, in: interval)
    }

    /// Adds an entry, or counts the notification if another thread has added one meanwhile.
    ///
    /// If all have too many bytes then, the node with the most loses its oldest ones.
    mutating func add(_ node: String, _ key: Key, in interval: Int, _ line: [UInt8]) {
        guard line.count <= maximumBytes, count(node, key, in: interval) != nil else { return }
        nodes[node, default: Node()].entries.append(Entry(key: key, interval: interval, line: line))
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

    /// Removes the entries of the intervals before this one.
    mutating func removeOld(before interval: Int) {
        for name in Array(nodes.keys) {
            while let first = nodes[name]?.entries.first, first.interval < interval {
                bytes -= nodes[name]?.removeFirst() ?? 0
            }
            if nodes[name]?.entries.isEmpty == true { nodes[name] = nil }
        }
    }

    /// All entries as a JSON array: of each node, the oldest first.
    ///
    /// - Parameter line: returns the line to send of one that was added.
    func json(_ line: ([UInt8]) -> [UInt8] = { $0 }) -> [UInt8] {
        let entries = nodes.values.flatMap(\.entries).map { entry in
            Array("{\"count\":\(entry.count),\"line\":".utf8) + line(entry.line) + [UInt8(ascii: "}")]
        }
        return [UInt8(ascii: "[")] + Array(entries.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
    }
}
