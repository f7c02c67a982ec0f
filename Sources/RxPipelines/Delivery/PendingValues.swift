/// What a source has told while there was no room for more events.
struct PendingValues {
    /// How many there are at most.
    static let most = 100_000

    private var values: [JSON] = []
    /// How many of them have been taken out since the list was last made shorter.
    private var taken = 0
    /// Where the latest value of each kind is, among those that nothing has come behind that they must not overtake.
    private var places: [String: Int] = [:]
    private let rule: WhenFull

    init(_ rule: WhenFull) {
        self.rule = rule
    }

    var count: Int { values.count - taken }
    var isEmpty: Bool { count == 0 }
    var all: ArraySlice<JSON> { values[taken...] }

    /// - Returns: whether another has gone for it, which is not to be had any more.
    mutating func append(_ value: JSON) -> Bool {
        guard case .keepsLatest(let key, let join) = rule, let key = key(value) else {
            places = [:]
            return put(value)
        }
        if let place = places[key], place >= taken {
            values[place] = join(values[place], value)
            return true
        }
        places[key] = values.count
        return put(value)
    }

    /// Where there are too many, the first goes.
    private mutating func put(_ value: JSON) -> Bool {
        values.append(value)
        return count > Self.most && popFirst() != nil
    }

    mutating func popFirst() -> JSON? {
        guard taken < values.count else { return nil }
        let first = values[taken]
        values[taken] = .null
        taken += 1
        if taken == values.count || taken > 1000 && taken * 2 > values.count {
            values.removeFirst(taken)
            places = places.compactMapValues { $0 >= taken ? $0 - taken : nil }
            taken = 0
        }
        return first
    }
}
