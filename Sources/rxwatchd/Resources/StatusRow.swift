import RxDiagnostics

/// A line about a node on a terminal, of which the least important facts are left out until it fits.
struct StatusRow {
    /// How important a fact is: those at the end are left out first.
    enum Rank: Int, Comparable {
        case lastEvent, waiting, next, cause, id, value, rate, nothing, objects

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    /// A part of the line.
    private struct Fact {
        let text: String
        let rank: Rank
        /// The number of characters that must be left of it.
        let least: Int
        /// What follows the text, if there is room for all of it: the cause of the event.
        let cause: String
    }

    /// What comes before the name, which is never left out.
    private let kind: String
    private let name: String
    private let state: String
    private var facts: [Fact] = []

    /// - Parameters:
    ///   - kind: what comes before the name.
    ///   - name: the name, the middle of which is left out if it is long.
    ///   - state: the state, which is never left out.
    init(_ kind: String, _ name: String, _ state: String) {
        (self.kind, self.name, self.state) = (kind, name, state)
    }

    /// Adds a fact after the others.
    ///
    /// - Parameters:
    ///   - text: the fact; `nil` for none.
    ///   - rank: how important it is.
    ///   - least: the number of characters to which it may be cut; default: all.
    ///   - cause: what follows the fact, if there is room for all of it.
    mutating func add(_ text: String?, _ rank: Rank, cutTo least: Int = .max, cause: String? = nil) {
        guard let text else { return }
        let shownCause = cause.map { " (\($0))" } ?? ""
        facts.append(Fact(text: text, rank: rank, least: min(least, text.count), cause: shownCause))
    }

    /// The line in at most this many columns.
    func text(columns: Int) -> String {
        let head = head(columns: columns)
        var left = columns - head.count
        var shown = [String?](repeating: nil, count: facts.count)
        let offers =
            facts.enumerated().map { (rank: $1.rank, index: $0) }
            + facts.indices.filter { !facts[$0].cause.isEmpty }.map { (rank: .cause, index: $0) }
        for (rank, index) in offers.sorted(by: { $0 < $1 }) {
            let fact = facts[index]
            if rank == .cause {
                guard let text = shown[index], fact.cause.count <= left else { continue }
                shown[index] = text + fact.cause
                left -= fact.cause.count
            } else {
                let room = left - Self.separator.count
                guard fact.least <= room else { continue }
                let text = fact.text.cut(toColumns: room)
                shown[index] = text
                left = room - text.count
            }
        }
        return ([head] + shown.compactMap(\.self)).joined(separator: Self.separator).cut(toColumns: columns)
    }

    /// The beginning of the line, with a name that leaves room for the state, and for facts if these need it.
    private func head(columns: Int) -> String {
        let room = columns - "\(kind) : \(state)".count
        let rest = facts.reduce(0) { $0 + Self.separator.count + $1.text.count + $1.cause.count }
        let width = max(min(room, max(columns / 2, room - rest)), Self.leastName)
        return "\(kind) \(name.cutInside(toColumns: width)): \(state)"
    }

    /// The fewest characters of a name.
    private static let leastName = 8
    private static let separator = ", "
}
