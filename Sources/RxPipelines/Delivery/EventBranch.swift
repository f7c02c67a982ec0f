import RxJSON

/// Distinguishes the events that are made of one source event and may reach a sink in any order.
///
/// They are made in different ways: through each input of a `merge`, together with other events, as a failure of a step
/// or sink. A branch has the same value in every process.
package struct EventBranch: Hashable, Sendable {
    /// The branch of the events that a source emits, and of those that steps make of one such event alone.
    static let main = EventBranch(value: 0)

    /// 0, or a number of at least 2^44: larger than any count, and small enough to be exact in JSON.
    package let value: Int

    private init(value: Int) {
        self.value = value
    }

    init(_ hash: StableHash) {
        value = Int(hash.value & (1 << 45 - 1)) | Self.minimum
    }

    /// The branch with this ``value``; `nil` if the number is a count.
    package init?(saved value: Int) {
        guard value >= Self.minimum else { return nil }
        self.value = value
    }

    package init?(saved json: JSON) {
        guard let value = json.number.flatMap({ Int(exactly: $0) }) else { return nil }
        self.init(saved: value)
    }

    private static let minimum = 1 << 44

    /// The branch that these names lead to from this one.
    func appending(_ names: String...) -> EventBranch {
        var hash = StableHash()
        hash.add(UInt64(value))
        for name in names {
            hash.add(name)
            hash.end()
        }
        return EventBranch(hash)
    }

    /// The number of an event in this branch after `count` events of the branch. In the main branch it is the count.
    func number(after count: Int) -> Int {
        if value == 0 || count == 0 { return value | count }
        var hash = StableHash()
        hash.add(UInt64(value))
        hash.add(UInt64(count))
        return EventBranch(hash).value
    }

    /// The text of a number in an id.
    static func text(of number: Int) -> String { String(number, radix: number < minimum ? 10 : 36) }
}

/// Counts events by their branch.
struct BranchCounts: Sendable {
    private var main = 0
    private var others: [EventBranch: Int]?

    /// The number of the next event in the branch.
    mutating func next(in branch: EventBranch) -> Int {
        if branch == .main {
            defer { main += 1 }
            return main
        }
        let count = others?[branch] ?? 0
        if others == nil { others = [:] }
        others?[branch] = count + 1
        return branch.number(after: count)
    }

    /// The number of the last event in the branch; `nil` if the branch has none.
    func last(in branch: EventBranch) -> Int? {
        let count = branch == .main ? main : others?[branch] ?? 0
        return count == 0 ? nil : branch.number(after: count - 1)
    }
}

/// The branch of an event that is made of several events. Each group of events has a branch of its own.
struct JoinedBranch: Sendable {
    private var hash = StableHash()
    private var count = 0
    private var first = EventBranch.main

    init() {}

    init(of events: some Sequence<PipelineEvent>) {
        for event in events { add(event) }
    }

    /// Adds an event, unless it is only remembered.
    mutating func add(_ event: PipelineEvent) {
        guard event.delivery != nil else { return }
        if count == 0 { first = event.branch }
        count += 1
        event.origin.identify(to: &hash)
        hash.add(UInt64(event.branch.value))
    }

    var branch: EventBranch { count < 2 ? first : EventBranch(hash) }
}
