import RxJSON

/// The events that a spooled sink has passed to its inner sink and that the inner sink has not finished.
struct SpoolFeed: ~Copyable {
    typealias Row = SpoolBacklog.Row

    /// An event that the inner sink processes.
    struct Entry {
        /// The stored event; `nil` if it is in memory only.
        let row: Row?
        /// The event in memory; `nil` if it is stored.
        let event: PipelineEvent?
        let ordinal: Int
        /// The description of the sink's failure, if it has failed: the receivers of `onError` have the event.
        fileprivate var cause: JSON?
        /// The progress of these receivers.
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
    /// The entries by their keys, which grow in the order in which the sink receives them.
    private var entries: [Int: Entry] = [:]
    private var nextKey = 0
    /// The stored events that replaced sinks failed on and that their receivers still have.
    private(set) var inherited: [Int64: Row] = [:]

    var count: Int { entries.count }
    /// The size of the stored events among them, in bytes.
    private(set) var bytes = 0

    /// The number of events that are in memory only.
    var countInMemory: Int { entries.values.count { $0.event != nil } }

    /// The events that are in memory only and have not failed, in the order in which the sink received them.
    var inMemory: [PipelineEvent] {
        entries.sorted { $0.key < $1.key }.compactMap { $0.value.cause == nil ? $0.value.event : nil }
    }

    /// The stored events that this sink or a replaced one failed on and that their receivers still have.
    var failed: [Int64: Row] {
        entries.values.reduce(into: inherited) { failed, entry in
            if entry.cause != nil, let row = entry.row { failed[row.number] = row }
        }
    }

    /// Adds an event.
    ///
    /// - Returns: its key.
    mutating func add(_ entry: Entry) -> Int {
        defer { nextKey += 1 }
        entries[nextKey] = entry
        bytes += entry.row?.bytes ?? 0
        return nextKey
    }

    func hasFailed(_ key: Int) -> Bool { entries[key]?.cause != nil }

    mutating func remove(_ key: Int) -> Entry? {
        let entry = entries.removeValue(forKey: key)
        bytes -= entry?.row?.bytes ?? 0
        return entry
    }

    /// Notes that the sink has failed on an event.
    ///
    /// - Returns: the event.
    mutating func fail(_ key: Int, _ cause: JSON) -> Entry? {
        entries[key]?.cause = cause
        return entries[key]
    }

    /// Changes the progress of the receivers of a failed event; `nil` if the event is finished.
    mutating func changeReceivers<Value>(_ key: Int, _ body: (inout SinkProgress) -> Value) -> Value? {
        guard var receivers = entries[key]?.receivers else { return nil }
        defer { entries[key]?.receivers = receivers }
        return body(&receivers)
    }

    /// The failure on a stored event, with its number in the store.
    func storedFailure(_ key: Int) -> (number: Int64, failure: SpooledFailure)? {
        guard let entry = entries[key], let row = entry.row, let cause = entry.cause else { return nil }
        return (row.number, SpooledFailure(cause, receivers: entry.receivers))
    }

    func ordinal(_ key: Int) -> Int { entries[key]?.ordinal ?? 0 }

    /// Takes over the stored events that replaced sinks failed on.
    mutating func inherit(_ failed: [Int64: Row]) { inherited = failed }

    /// Removes an event that a replaced sink failed on and that the receivers have finished.
    mutating func settleInherited(_ row: Row) { inherited[row.number] = nil }
}
