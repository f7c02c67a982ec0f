/// The place of an item: the index of its section, and its index there.
public struct SectionPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The index of the section.
    public var section: Int
    /// The index of the item in the section.
    public var item: Int

    /// Creates the path of the item at index `item` of the section at index `section`.
    public init(section: Int, item: Int) {
        (self.section, self.item) = (section, item)
    }

    /// Orders paths by section, and by item within a section.
    public static func < (left: SectionPath, right: SectionPath) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }

    /// The path in the words of an error message.
    public var description: String { "section \(section), item \(item)" }
}
