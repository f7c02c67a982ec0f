import RxEngine

/// How many engine objects of each kind are alive.
struct ResourceCounts: Equatable, CustomStringConvertible {
    private let total: Int32
    private let counts: [Int]

    static var now: ResourceCounts {
        ResourceCounts(total: Resources.total, counts: Resources.Kind.allCases.map(Resources.count(of:)))
    }

    var description: String {
        let kinds = zip(Resources.Kind.allCases, counts).map { "\($0) \($1)" }.joined(separator: ", ")
        return "total \(total) (\(kinds))"
    }
}

/// The live observables and runs of every operator, to name what has leaked.
func liveOperators() -> [String: Resources.OperatorCounts] {
    let all = Operator.allCases.map { ("\($0)", Resources.counts(of: $0)) }
    return Dictionary(uniqueKeysWithValues: all).filter { $0.value.observables != 0 || $0.value.runs != 0 }
}
