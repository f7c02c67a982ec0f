import RxJSON

/// Distinguishes what is made of one source event in different ways and may reach a sink in any order: on the way
/// through each input of a `merge`, together with other events, as a failure of a step or sink. It is the same in every
/// process.
package struct EventBranch: Hashable, Sendable {
    /// What a source emits, and what steps make of that alone.
    static let main = EventBranch(value: 0)

    /// 0, or else large: a number that is no count, and that JSON keeps.
    package let value: Int

    private init(value: Int) {
        self.value = value
    }

    init(_ hash: StableHash) {
        value = Int(hash.value & (1 << 45 - 1)) | Self.least
    }

    /// The branch with this ``value``; `nil` for that of a count.
    package init?(saved value: Int) {
        guard value >= Self.least else { return nil }
        self.value = value
    }

    package init?(saved json: JSON) {
        guard let value = json.number.flatMap({ Int(exactly: $0) }) else { return nil }
        self.init(saved: value)
    }

    private static let least = 1 << 44

    /// The branch that a name, or several, lead to.
    func going(_ names: String...) -> EventBranch {
        var hash = StableHash()
        hash.add(UInt64(value))
        for name in names {
            hash.add(name)
            hash.end()
        }
        return EventBranch(hash)
    }

    /// The number of an event in this branch of its source event, given how many came before: that itself in the main
    /// branch.
    func number(after count: Int) -> Int {
        if value == 0 || count == 0 { return value | count }
        var hash = StableHash()
        hash.add(UInt64(value))
        hash.add(UInt64(count))
        return EventBranch(hash).value
    }

    /// A number as a part of an id.
    static func text(of number: Int) -> String { String(number, radix: number < least ? 10 : 36) }
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

    /// The number of the last event in the branch.
    func last(in branch: EventBranch) -> Int? {
        let count = branch == .main ? main : others?[branch] ?? 0
        return count == 0 ? nil : branch.number(after: count - 1)
    }
}

/// The branch of what is made of several events: of each group another.
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
