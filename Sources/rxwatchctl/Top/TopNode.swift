import RxJSON

/// A source or a pipeline in the table of `rxwatchctl top`.
struct TopNode: Sendable {
    let name: String
    let kind: String
    let state: String
    let events: Double
    /// The number of events that the steps of a pipeline have received.
    let received: Double?
    let perMinute: Double
    /// When the node emitted its last event, in seconds since 1970.
    let last: Double?
    /// When the node ticks or polls next, or the first of its sinks tries again.
    let next: Double?
    /// The number of events that are not settled, or that wait for the sinks.
    let waiting: Double
    let dropped: Double
    let live: Double?
    /// The number of failures of the node and of its sinks.
    let failures: Double
    /// Whether the node or one of its sinks has failed on an event, and has not worked since.
    let hasFailed: Bool

    /// - Parameter json: the node in the details of `rxwatchctl status`.
    init(_ json: JSON) {
        func number(_ key: String) -> Double { json[key]?.number ?? 0 }
        name = json["name"]?.string ?? ""
        kind = json["kind"]?.string ?? ""
        state = json["state"]?.string ?? ""
        (events, perMinute, dropped) = (number("events"), number("perMinute"), number("dropped"))
        received = json["received"]?.number
        waiting = number("unsettled") + number("queued") + number("spooled")
        (last, live) = (json["last"]?["time"]?.number, json["total"]?.number)
        let all = json["failures"]?.array ?? []
        next = json["next"]?.number ?? all.compactMap { $0["next"]?.number }.min()
        failures = all.reduce(0) { $0 + ($1["count"]?.number ?? 1) }
        // A daemon of an earlier version does not say it.
        hasFailed = json["failing"]?.bool ?? all.contains { $0["recovered"] == nil }
    }
}
