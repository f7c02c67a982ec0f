extension Resources {
    /// The counts of live objects at one moment, to compare with those of another.
    public struct Snapshot: Sendable, Equatable {
        /// The number of live objects by kind.
        public let kinds: [Kind: Int]
        /// The number of live observables and links by operator; an operator without any is left out.
        public let operators: [Operator: OperatorCounts]

        /// Returns the lines of what has changed since `before`, such as `map: 2 more running`; none if nothing has.
        public func changes(since before: Snapshot) -> [String] {
            let kinds = Kind.allCases.compactMap { kind in
                Self.change("\(kind)", (self.kinds[kind] ?? 0) - (before.kinds[kind] ?? 0), "alive")
            }
            let operators = Operator.allCases.flatMap { operation in
                let (now, old) = (self.operators[operation], before.operators[operation])
                return [
                    Self.change("\(operation)", (now?.observables ?? 0) - (old?.observables ?? 0), "observables"),
                    Self.change("\(operation)", (now?.runs ?? 0) - (old?.runs ?? 0), "running"),
                ].compactMap(\.self)
            }
            return kinds + operators
        }

        private static func change(_ name: String, _ difference: Int, _ what: String) -> String? {
            if difference == 0 { return nil }
            return "\(name): \(abs(difference)) \(difference > 0 ? "more" : "fewer") \(what)"
        }

        /// The counts as a JSON object with the members `kinds` and `operators`.
        public var json: String {
            let kinds = Kind.allCases.map { ("\($0)", String(self.kinds[$0] ?? 0) as String?) }
            let operators = Operator.allCases.map { operation in
                let counts = self.operators[operation].map {
                    JSONText.object([("observables", String($0.observables)), ("runs", String($0.runs))])
                }
                return ("\(operation)", counts)
            }
            return JSONText.object([("kinds", JSONText.object(kinds)), ("operators", JSONText.object(operators))])
        }
    }

    /// Returns the counts of all kinds and operators.
    ///
    /// Any thread may call it. While other threads make and release objects, the counts are those of slightly different
    /// moments.
    ///
    /// - Complexity: Linear in the number of threads, kinds and operators.
    public static func snapshot() -> Snapshot {
        let kinds = Kind.allCases.map { ($0, count(of: $0)) }
        let operators = Operator.allCases.compactMap { operation -> (Operator, OperatorCounts)? in
            let counts = counts(of: operation)
            return counts == OperatorCounts(observables: 0, runs: 0) ? nil : (operation, counts)
        }
        return Snapshot(
            kinds: Dictionary(uniqueKeysWithValues: kinds), operators: Dictionary(uniqueKeysWithValues: operators))
    }
}
