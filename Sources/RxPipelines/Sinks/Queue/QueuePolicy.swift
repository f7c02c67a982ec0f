import RxEngine
import RxJSON

/// What becomes of events that come while a sink is at work.
struct QueuePolicy: Sendable, Equatable {
    enum Overlap: String, CaseIterable, Sendable {
        /// They wait for their turn.
        case queue
        /// The latest waits, the others are dropped.
        case latest
        /// They are dropped.
        case drop
        /// The work is cancelled, and begins with the event that has come.
        case cancel
    }

    var overlap = Overlap.queue
    /// The largest number of waiting events; none unless the config asks for one. `inFlight` bounds the events of each
    /// source; where one event becomes many, nothing does.
    var capacity = Int.max
    /// The largest size of the waiting events on disk, in bytes; `nil` if they wait in memory.
    var disk: Int?
    /// Which is dropped when that many wait.
    var overflow = OverflowRule.dropOldest

    /// The largest number of waiting events where `overflow` is given without a number.
    private static let usualCapacity = 50_000

    /// Reads `queue` and `overflow`, and `overlap` from a mapping that has it; what is wrong is reported.
    static func read(_ fields: inout Fields, hasOverlap: Bool = true) -> QueuePolicy {
        let rules: [(String, OverflowRule)] = [("dropOldest", .dropOldest), ("dropNewest", .dropNewest)]
        let overlap = hasOverlap ? fields.optional("overlap", .choice() as FieldType<Overlap>) : nil
        let queue = fields.optional("queue", .queueSize)
        let overflow = fields.optional("overflow", .choice(rules))
        let others = Overlap.allCases.filter { $0 != .queue }.map(\.rawValue)
        for key in hasOverlap ? ["queue", "overflow"] : [] {
            guard fields.breaks(.isNotGiven(key, where: "overlap", is: others)) != nil, let overlap else { continue }
            fields.report.add(
                "'\(key)' goes with 'overlap: queue'; with 'overlap: \(overlap.rawValue)' there is no queue",
                at: fields.location(of: key))
        }
        if case .disk = queue, fields.breaks(.atMostOne(["overflow", "queue"])) != nil {
            fields.report.add(
                "'overflow' goes with a queue in memory; a full one on disk holds the source back",
                at: fields.location(of: "overflow"))
        }
        var read = QueuePolicy()
        read.overlap = overlap ?? read.overlap
        switch queue {
        case .memory(let capacity): read.capacity = capacity
        case .disk(let bytes): read.disk = bytes
        case nil: if overflow != nil { read.capacity = usualCapacity }
        }
        read.overflow = overflow ?? read.overflow
        return read
    }
}

/// What stands under `queue:`.
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
            let disk: JSON = [
                "type": "object", "properties": ["disk": size.schema], "required": ["disk"],
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
            var fields = Fields(node, in: "queue", context)
            let disk = fields.required("disk", size)
            guard fields.finish(), let disk else { return nil }
            return .disk(disk)
        }
    }
}

extension FieldType where Value == Int {
    /// A size such as 256MiB.
    fileprivate static func byteCount(_ range: ClosedRange<Int>) -> Self {
        let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        return .scalar(
            "a size such as 64KiB, 256MiB or 1GiB",
            schema: [
                "anyOf": [["type": "string", "pattern": "^[0-9]+([KMG]iB)?$"], ["type": "integer"], Schema.reference]
            ]
        ) { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
            let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit)
            return !isTooMuch && range.contains(bytes) ? bytes : nil
        }
    }
}
