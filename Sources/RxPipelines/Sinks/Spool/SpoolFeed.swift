/// The events that a spooled sink gave to the sink behind it, and that this one has not finished.
struct SpoolFeed: ~Copyable {
    typealias Row = SpoolBacklog.Row

    struct Entry {
        /// The stored event; `nil` if it is in memory only.
        let row: Row?
        /// The event in memory; `nil` if it is stored.
        let event: PipelineEvent?
        let ordinal: Int
        /// Whether the sink has failed on it, and it is with the receivers of failed events.
        var hasFailed = false
        /// How many events made of it have reached other sinks.
        fileprivate var begun: [String: BranchCounts] = [:]

        init(stored row: Row, ordinal: Int, hasFailed: Bool) {
            (self.row, event, self.ordinal, self.hasFailed) = (row, nil, ordinal, hasFailed)
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
        entries.sorted { $0.key < $1.key }.compactMap { $0.value.hasFailed ? nil : $0.value.event }
    }

    /// The stored events that this sink and those before it failed on, and that are with their receivers.
    var failed: [Int64: Row] {
        entries.values.reduce(into: inherited) { failed, entry in
            if entry.hasFailed, let row = entry.row { failed[row.number] = row }
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

    func hasFailed(_ place: Int) -> Bool { entries[place]?.hasFailed == true }

    mutating func remove(_ place: Int) -> Entry? { entries.removeValue(forKey: place) }

    /// Notes that the sink has failed on an event.
    ///
    /// - Returns: the event.
    mutating func fail(_ place: Int) -> Entry? {
        entries[place]?.hasFailed = true
        return entries[place]
    }

    /// Counts an event that was made of the one at `place` and reaches a sink; `nil` if that one is finished.
    mutating func begin(_ place: Int, at sink: String, in branch: EventBranch) -> Int? {
        entries[place]?.begun[sink, default: BranchCounts()].next(in: branch)
    }

    func ordinal(_ place: Int) -> Int { entries[place]?.ordinal ?? 0 }

    /// Takes over what the sinks before this one failed on.
    mutating func inherit(_ failed: [Int64: Row]) { inherited = failed }

    /// The receivers have finished an event that a sink before this one failed on.
    mutating func settleInherited(_ row: Row) { inherited[row.number] = nil }
}
