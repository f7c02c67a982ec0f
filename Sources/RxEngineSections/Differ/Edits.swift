/// The edits of one stage, either those of sections (by index) or those of items (by ``SectionPath``).
///
/// They are made in this order, and each place is valid when its edit is made in this order:
///
/// 1. ``updated``: new content in the same place;
/// 2. ``deleted``, and the sources of ``moved``, from the last place to the first;
/// 3. ``inserted``, and the destinations of ``moved``, from the first place to the last.
///
/// So the places of the first two refer to the value before the stage, and those of the third to the value after it.
public struct Edits<Place: Hashable & Comparable & Sendable>: Equatable, Sendable {
    /// A move from a place before the stage to one after it.
    public struct Move: Hashable, Sendable {
        /// The place before the stage.
        public let from: Place
        /// The place after the stage.
        public let to: Place
    }

    struct Removal: Equatable {
        let place: Place
        let isMove: Bool
    }

    struct Arrival: Equatable {
        let place: Place
        /// The index in `removals` of what arrives here, or `nil` if it is new.
        let removal: Int?
    }

    /// The places with new content, ascending. Nothing changes its place in a stage that has these.
    public internal(set) var updated: [Place] = []
    /// Descending.
    var removals: [Removal] = []
    /// Ascending.
    var arrivals: [Arrival] = []

    /// The places before the stage of what is deleted, descending.
    ///
    /// - Complexity: O(*n*) for *n* edits.
    public var deleted: [Place] {
        removals.compactMap { $0.isMove ? nil : $0.place }
    }

    /// The places after the stage of what is inserted, ascending.
    ///
    /// - Complexity: O(*n*) for *n* edits.
    public var inserted: [Place] {
        arrivals.compactMap { $0.removal == nil ? $0.place : nil }
    }

    /// The moves, by ascending destination.
    ///
    /// - Complexity: O(*n*) for *n* edits.
    public var moved: [Move] {
        arrivals.compactMap { arrival in
            arrival.removal.map { Move(from: removals[$0].place, to: arrival.place) }
        }
    }

    /// The number of edits. A move counts as one.
    ///
    /// - Complexity: O(*n*) for *n* edits.
    public var count: Int {
        updated.count + arrivals.count + removals.lazy.filter { !$0.isMove }.count
    }

    /// Whether there are no edits.
    public var isEmpty: Bool { updated.isEmpty && removals.isEmpty && arrivals.isEmpty }
}

extension Edits: CustomStringConvertible {
    /// The edits, such as `deleted [3, 1], inserted [0], moved [2 to 4]`.
    public var description: String {
        let lists = [
            ("updated", "\(updated)", !updated.isEmpty), ("deleted", "\(deleted)", !deleted.isEmpty),
            ("inserted", "\(inserted)", !inserted.isEmpty), ("moved", "\(moved)", !moved.isEmpty),
        ]
        return isEmpty ? "no edits" : lists.filter(\.2).map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

extension Edits.Move: CustomStringConvertible {
    /// Both places, such as `2 to 4`.
    public var description: String { "\(from) to \(to)" }
}
