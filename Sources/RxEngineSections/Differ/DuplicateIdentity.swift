/// Two sections, or two items, of one value have the same identity, so a differ cannot follow them.
public enum DuplicateIdentity: Error, Equatable, CustomStringConvertible {
    /// The value with the duplicate.
    public enum Side: String, Sendable {
        /// The value to start from.
        case old
        /// The value to arrive at.
        case new
    }

    /// Two sections have this identity, given as text, at these indexes.
    case section(id: String, first: Int, second: Int, side: Side)
    /// Two items have this identity, given as text, at these places. They may be in different sections.
    case item(id: String, first: SectionPath, second: SectionPath, side: Side)

    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .section(let id, let first, let second, let side):
            """
            two sections of the \(side.rawValue) value have the id "\(id)", at index \(first) and \(second): \
            give every section an id of its own
            """
        case .item(let id, let first, let second, let side):
            """
            two items of the \(side.rawValue) value have the id "\(id)", at \(first), and at \(second): \
            give every item an id that no other item has in any section
            """
        }
    }
}
