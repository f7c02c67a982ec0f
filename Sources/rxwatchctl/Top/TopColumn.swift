import RxDiagnostics
import RxJSON

/// A column of the table of `rxwatchctl top`.
enum TopColumn: Int, CaseIterable, Sendable {
    case node, state, failures, events, rate, last, next, waiting, received, dropped, kind, live

    var heading: String {
        switch self {
        case .node: "NODE"
        case .kind: "KIND"
        case .state: "STATE"
        case .events: "EVENTS"
        case .rate: "/MIN"
        case .last: "LAST"
        case .next: "NEXT"
        case .waiting: "WAITING"
        case .dropped: "DROPPED"
        case .received: "RECEIVED"
        case .failures: "FAILURES"
        case .live: "LIVE"
        }
    }

    /// Whether the text of the column is on the left; numbers are on the right.
    var isText: Bool { self == .node || self == .kind || self == .state }
    /// Whether the column is shown only on wide terminals.
    var isWide: Bool { self.rawValue >= TopColumn.received.rawValue }

    /// The text of the column for a node at a time, in seconds since 1970.
    func text(of node: TopNode, at now: Double) -> String {
        switch self {
        case .node: node.name
        case .kind: node.kind
        case .state: node.state
        case .events: Self.count(node.events)
        case .rate: "\(JSON.number((node.perMinute * 10).rounded() / 10))"
        case .last: node.last.map { Self.span(now - $0) } ?? "-"
        case .next: node.next.map { $0 - now >= 1 ? Self.span($0 - now) : "now" } ?? "-"
        case .waiting: Self.count(node.waiting)
        case .dropped: Self.count(node.dropped)
        case .received: node.received.map { Self.count($0) } ?? "-"
        case .live: node.live.map { Self.count($0) } ?? "-"
        case .failures: node.failures == 0 ? "-" : Self.count(node.failures)
        }
    }

    /// Whether a node is above another one in the order of this column: names in alphabetical order, the most events and
    /// the latest ones first.
    func isBefore(_ one: TopNode, _ other: TopNode) -> Bool {
        func key(_ node: TopNode) -> Double {
            switch self {
            case .node, .kind, .state: 0
            case .events: -node.events
            case .rate: -node.perMinute
            case .last: -(node.last ?? 0)
            case .next: node.next ?? .infinity
            case .waiting: -node.waiting
            case .dropped: -node.dropped
            case .received: -(node.received ?? 0)
            case .live: -(node.live ?? 0)
            case .failures: -node.failures
            }
        }
        func text(_ node: TopNode) -> String {
            switch self {
            case .kind: node.kind
            case .state: node.state
            // Those that fail now are above those that work again.
            case .failures: node.hasFailed ? "0" : "1"
            default: ""
            }
        }
        return (text(one), key(one), one.name) < (text(other), key(other), other.name)
    }

    private static func count(_ number: Double) -> String {
        switch number {
        case ..<1e6: "\(Int(max(number, 0)))"
        case ..<1e9: "\(Int(number / 1e3))k"
        default: "\(Int(min(number, 1e15) / 1e6))M"
        }
    }

    /// A span of time in at most four characters, such as `12s` or `3h`.
    static func span(_ seconds: Double) -> String {
        let units = [(86400.0, "d"), (3600, "h"), (60, "m")]
        guard let unit = units.first(where: { seconds >= $0.0 }) else { return "\(Int(max(seconds, 0)))s" }
        return "\(Int(min(seconds / unit.0, 999)))\(unit.1)"
    }
}
