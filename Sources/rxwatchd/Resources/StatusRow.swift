import RxDiagnostics

/// A line about a node on a terminal, of which the least important facts are left out until it fits.
struct StatusRow {
    /// How important a fact is: those at the end are left out first.
    enum Rank: Int, Comparable {
        case lastEvent, waiting, next, id, value, rate, nothing, objects

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    /// A part of the line.
    private struct Fact {
        let text: String
        let rank: Rank
        /// The number of characters that must be left of it.
        let least: Int
    }

    private let head: String
    private var facts: [Fact] = []

    /// - Parameter head: the beginning of the line, which is never left out.
    init(_ head: String) {
        self.head = head
    }

    /// Adds a fact after the others.
    ///
    /// - Parameters:
    ///   - text: the fact; `nil` for none.
    ///   - rank: how important it is.
    ///   - least: the number of characters to which it may be cut; default: all.
    mutating func add(_ text: String?, _ rank: Rank, cutTo least: Int = .max) {
        if let text { facts.append(Fact(text: text, rank: rank, least: min(least, text.count))) }
    }

    /// The line in at most this many columns.
    func text(columns: Int) -> String {
        var left = columns - head.count
        var shown = [String?](repeating: nil, count: facts.count)
        let order = facts.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        for (index, fact) in order {
            let room = left - Self.separator.count
            guard fact.least <= room else { continue }
            let text = fact.text.cut(toColumns: room)
            shown[index] = text
            left = room - text.count
        }
        return ([head] + shown.compactMap(\.self)).joined(separator: Self.separator).cut(toColumns: columns)
    }

    private static let separator = ", "
}
