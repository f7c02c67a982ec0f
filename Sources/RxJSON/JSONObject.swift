extension JSON {
    /// The members of a JSON object in insertion order, which is also the order in which they are printed.
    ///
    /// So the first member that the author of `{beat: .tick, at: .time}` wrote is the first that is read.
    ///
    /// - Complexity: a lookup is O(*n*) for *n* members. Events have few, and the daemon iterates them far more often.
    package struct Object: Sendable {
        package private(set) var members: [(key: String, value: JSON)]

        package init() {
            members = []
        }

        /// Creates an object from members whose keys must differ; this is not checked.
        package init(uniqueKeysWithValues members: [(String, JSON)]) {
            self.members = members.map { (key: $0.0, value: $0.1) }
        }

        package var isEmpty: Bool { members.isEmpty }
        package var count: Int { members.count }
        package var keys: [String] { members.map(\.key) }

        /// The value of a key. Setting `nil` removes the key; setting a new key appends it.
        package subscript(key: String) -> JSON? {
            get { index(of: key).map { members[$0].value } }
            set {
                switch (index(of: key), newValue) {
                case (let index?, let value?): members[index].value = value
                case (let index?, nil): members.remove(at: index)
                case (nil, let value?): members.append((key, value))
                case (nil, nil): break
                }
            }
        }

        private func index(of key: String) -> Int? {
            members.firstIndex { $0.key.hasSameBytes(as: key) }
        }
    }
}

extension JSON.Object: Hashable {
    /// Compares in one pass if both have the same keys in the same order, as results of one expression have.
    package static func == (left: JSON.Object, right: JSON.Object) -> Bool {
        guard left.count == right.count else { return false }
        for (index, (mine, theirs)) in zip(left.members, right.members).enumerated() {
            // Compare only the rest: comparing a value twice would double the time at every level of nesting.
            guard mine.key.hasSameBytes(as: theirs.key) else {
                return left.sorted(from: index) == right.sorted(from: index)
            }
            if mine.value != theirs.value { return false }
        }
        return true
    }

    /// The keys and values from an index on, alternating, sorted by the bytes of the keys.
    private func sorted(from index: Int) -> [JSON] {
        members[index...].sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .flatMap { [.string($0.key), $0.value] }
    }

    package func hash(into hasher: inout Hasher) {
        // A sum, because the order of members must not matter.
        var sum = 0
        for (key, value) in members {
            var member = Hasher()
            key.hashBytes(into: &member)
            member.combine(value)
            sum &+= member.finalize()
        }
        hasher.combine(sum)
    }
}
