import RxJSON

/// Values that a source emitted while `inFlight` was reached, conflated by key. A source with many keys bounds them
/// itself, see ``SourceValue/slot``.
struct PendingValues {
    private var values: [SourceValue] = []
    /// The number of values at the front that were removed already; the array is compacted now and then.
    private var taken = 0
    /// The index of the latest value of each key, since the last value without a key: nothing is merged across such a
    /// value.
    private var places: [String: Int] = [:]
    private let rule: BackpressurePolicy

    init(_ rule: BackpressurePolicy) {
        self.rule = rule
    }

    var count: Int { values.count - taken }
    var isEmpty: Bool { count == 0 }
    var all: ArraySlice<SourceValue> { values[taken...] }

    /// Appends a value, or merges it into the pending one of its key.
    ///
    /// - Returns: whether it was merged.
    mutating func append(_ value: SourceValue) -> Bool {
        guard case .conflates(let key, let join) = rule, let key = key(value.value) else {
            places = [:]
            values.append(value)
            return false
        }
        if let place = places[key], place >= taken {
            values[place] = values[place].joined(by: value, join)
            return true
        }
        places[key] = values.count
        values.append(value)
        return false
    }

    /// Removes the values with these names.
    mutating func removeAll(where isUnwanted: (String) -> Bool) {
        values = all.filter { $0.name.map { !isUnwanted($0) } ?? true }
        (taken, places) = (0, [:])
    }

    mutating func popFirst() -> SourceValue? {
        guard taken < values.count else { return nil }
        let first = values[taken]
        values[taken] = SourceValue(.null)
        taken += 1
        if taken == values.count || taken > 1000 && taken * 2 > values.count {
            values.removeFirst(taken)
            places = places.compactMapValues { $0 >= taken ? $0 - taken : nil }
            taken = 0
        }
        return first
    }
}

extension SourceValue {
    /// The value that takes the place of this one and a later one. Its name is that of the one that it is.
    fileprivate func joined(by later: SourceValue, _ join: (JSON, JSON) -> JSON) -> SourceValue {
        let joined = join(value, later.value)
        return SourceValue(
            joined, position: later.position, name: joined == later.value ? later.name : name, slot: slot)
    }
}
