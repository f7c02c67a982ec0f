import RxEngine
import RxJSON

/// How a sink treats events that arrive while it is busy.
struct QueuePolicy: Sendable, Equatable {
    /// What a sink does with an event that arrives while an earlier one is processed.
    enum Overlap: String, CaseIterable, Sendable {
        /// Queues the event.
        case queue
        /// Queues the event in place of any waiting one, which is dropped.
        case latest
        /// Drops the event.
        case drop
        /// Cancels the running work, and starts with the event.
        case cancel
    }

    var overlap = Overlap.queue
    /// The largest number of waiting events. By default the queue has no bound of its own: `inFlight` bounds the events
    /// of each source. If a step makes many events of one, nothing else bounds them.
    var capacity = Int.max
    /// The memory that waiting events may take if `capacity` bounds them, in bytes: half of the memory at which a
    /// source waits, so that the queue drops events before its source waits.
    var memory: Int { capacity == .max || overlap != .queue ? .max : UnsettledEventTable.defaultMemoryLimit / 2 }
    /// The largest size of the waiting events on disk, in bytes; `nil` if they wait in memory.
    var disk: Int?
    /// The event that a full queue drops.
    var overflow = OverflowRule.dropOldest

    /// Why the sink drops an event, or cancels its work for it.
    var dropReason: String {
        switch overlap {
        case .queue: "the queue is full"
        case .drop: "the sink is busy"
        case .latest, .cancel: "a later event has taken its place"
        }
    }

    /// The capacity if `overflow` is given without a number.
    private static let defaultCapacity = 50_000

    /// Reads `queue`, `overflow` and, if the kind has it, `overlap`; errors are reported.
    static func read(_ fields: inout FieldReader, hasOverlap: Bool = true) -> QueuePolicy {
        let choices: [(String, OverflowRule)] = [("dropOldest", .dropOldest), ("dropNewest", .dropNewest)]
        let overlap =
            hasOverlap
            ? fields.optional(
                "overlap", .choice() as FieldType<Overlap>,
                "What happens to events that arrive while the sink is busy; default: queue") : nil
        let queue = fields.optional(
            "queue", .queueSize, "The size of the queue; default: unlimited, since the source's inFlight applies")
        let overflow = fields.optional(
            "overflow", .choice(choices), "Which event is dropped when the queue is full; default: dropOldest")
        let others = Overlap.allCases.filter { $0 != .queue }.map(\.rawValue)
        for key in hasOverlap ? ["queue", "overflow"] : [] {
            guard fields.breaks(.isNotGiven(key, where: "overlap", is: others)) != nil, let overlap else { continue }
            fields.report.add(
                "'\(key)' goes with 'overlap: queue'; with 'overlap: \(overlap.rawValue)' there is no queue; "
                    + "remove one of them",
                at: fields.location(of: key))
        }
        if case .disk = queue, fields.breaks(.atMostOne(["overflow", "queue"])) != nil {
            fields.report.add(
                "'overflow' is for a queue in memory; a full queue on disk holds back the source; remove it",
                at: fields.location(of: "overflow"))
        }
        var read = QueuePolicy()
        read.overlap = overlap ?? read.overlap
        switch queue {
        case .memory(let capacity): read.capacity = capacity
        case .disk(let bytes): read.disk = bytes
        case nil: if overflow != nil { read.capacity = defaultCapacity }
        }
        read.overflow = overflow ?? read.overflow
        return read
    }
}

private let diskMeaning = "The size of a queue on disk"

/// The value of `queue:`.
private enum QueueSize: Sendable {
    case memory(Int)
    case disk(Int)
}

extension FieldType where Value == QueueSize {
    /// A number of events, or `{ disk: SIZE }`.
    fileprivate static var queueSize: Self {
        let number = FieldType<Int>.int(1...1_000_000)
        let size = FieldType<Int>.byteCount(65_536...1 << 40)
        let expected = "\(number.expected), or { disk: 256MiB }"
        func schema() -> JSON {
            var described = size.schema
            described["description"] = .string("\(diskMeaning) (\(size.expected))")
            let disk: JSON = [
                "type": "object", "properties": ["disk": described], "required": ["disk"],
                "additionalProperties": false,
            ]
            return ["anyOf": [number.schema, disk]]
        }
        return FieldType(expected, schema: schema()) { node, context in
            guard node.mapping != nil else {
                guard let text = node.scalar?.text.text, Int(text) != nil || context.outline != nil else {
                    return context.report.wrong(node, expected)
                }
                return number.read(node, context).map { .memory($0) }
            }
            var fields = FieldReader(node, in: "queue", context)
            let disk = fields.required("disk", size, diskMeaning)
            guard fields.finish(), let disk else { return nil }
            return .disk(disk)
        }
    }
}
