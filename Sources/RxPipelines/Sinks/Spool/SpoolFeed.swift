import RxJSON

/// The events that a spooled sink gave to the sink behind it, and that this one has not finished.
struct SpoolFeed: ~Copyable {
    typealias Row = SpoolBacklog.Row

    struct Entry {
        /// The stored event; `nil` if it is in memory only.
        let row: Row?
        /// The event in memory; `nil` if it is stored.
        let event: PipelineEvent?
        let ordinal: Int
        /// What the sink has failed with: the event is with the receivers of failed events.
        fileprivate var cause: JSON?
        /// What these have done with it.
        fileprivate var receivers = SinkProgress()

        init(stored row: Row, ordinal: Int, failure: SpooledFailure?) {
            (self.row, event, self.ordinal, cause) = (row, nil, ordinal, failure?.cause)
            receivers = failure?.receivers.toBeRedelivered ?? receivers
        }

        init(inMemory event: PipelineEvent) {
            (row, self.event, ordinal) = (nil, event, event.ordinal)
        }
    }

    /// The number of the last stored event that was read.
    var lastRead: Int64 = 0
    /// By their places, which grow in the order in which the sink was given them.
    private var entries: [Int: Entry] = [:]
    private var places = 0
    /// Stored events that the sinks before this one failed on, and that are with their receivers.
    private(set) var inherited: [Int64: Row] = [:]

    var count: Int { entries.count }

    /// The number of events that are in memory only.
    var countInMemory: Int { entries.values.count { $0.event != nil } }

    /// The events that are in memory only and have not failed, in the order in which the sink was given them.
    var inMemory: [PipelineEvent] {
        entries.sorted { $0.key < $1.key }.compactMap { $0.value.cause == nil ? $0.value.event : nil }
    }

    /// The stored events that this sink and those before it failed on, and that are with their receivers.
    var failed: [Int64: Row] {
        entries.values.reduce(into: inherited) { failed, entry in
            if entry.cause != nil, let row = entry.row { failed[row.number] = row }
        }
    }

    /// Adds an event.
    ///
    /// - Returns: its place.
    mutating func add(_ entry: Entry) -> Int {
        defer { places += 1 }
        entries[places] = entry
        return places
    }

    func hasFailed(_ place: Int) -> Bool { entries[place]?.cause != nil }

    mutating func remove(_ place: Int) -> Entry? { entries.removeValue(forKey: place) }

    /// Notes that the sink has failed on an event.
    ///
    /// - Returns: the event.
    mutating func fail(_ place: Int, _ cause: JSON) -> Entry? {
        entries[place]?.cause = cause
        return entries[place]
    }

    /// Changes what other sinks have done with an event; `nil` if that is finished.
    mutating func changeReceivers<Value>(_ place: Int, _ body: (inout SinkProgress) -> Value) -> Value? {
        guard var receivers = entries[place]?.receivers else { return nil }
        defer { entries[place]?.receivers = receivers }
        return body(&receivers)
    }

    /// The failure on a stored event.
    func storedFailure(_ place: Int) -> (number: Int64, failure: SpooledFailure)? {
        guard let entry = entries[place], let row = entry.row, let cause = entry.cause else { return nil }
        return (row.number, SpooledFailure(cause, receivers: entry.receivers))
    }

    func ordinal(_ place: Int) -> Int { entries[place]?.ordinal ?? 0 }

    /// Takes over what the sinks before this one failed on.
    mutating func inherit(_ failed: [Int64: Row]) { inherited = failed }

    /// The receivers have finished an event that a sink before this one failed on.
    mutating func settleInherited(_ row: Row) { inherited[row.number] = nil }
}
