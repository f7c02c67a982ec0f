/// Finds the edits that lead from a list of sections to another.
///
/// ```swift
/// let stages = try SectionDiffer.changesets(from: renderer.sections, to: new)
/// renderer.apply(stages)
/// ```
///
/// Two items with the same identity, one in each value, are the same item, and two sections likewise: they are updated
/// if they are not equal, and moved if they are elsewhere. Items that keep their section, and sections, move only if
/// their order requires it. The moves are at most twice as many as necessary: finding the least number would take O(*n*
/// log *n*).
public enum SectionDiffer {
    /// Returns the stages that lead from `old` to `new`, in the order in which they are applied.
    ///
    /// There are none if the values are equal, and at most four; ``Changeset`` says which. The last one's value is
    /// `new`.
    ///
    /// - Throws: ``DuplicateIdentity`` if two sections or two items of a value have the same identity.
    /// - Complexity: O(*n*) for *n* sections and items in both values together, if their hashes differ: each identity
    ///   is hashed at most three times, apart from the growth of the hash tables, and each header and item compared
    ///   once.
    public static func changesets<Header, Item>(
        from old: [Section<Header, Item>], to new: [Section<Header, Item>]
    ) throws(DuplicateIdentity) -> [Changeset<Header, Item>] {
        try SectionDiff(from: old, to: new).stages
    }

    /// Returns the stages that lead from `old` to `new`, or one that replaces everything if an identity is not unique.
    ///
    /// - Complexity: as ``changesets(from:to:)``.
    public static func changesetsOrReplacement<Header, Item>(
        from old: [Section<Header, Item>], to new: [Section<Header, Item>]
    ) -> [Changeset<Header, Item>] {
        do {
            return try changesets(from: old, to: new)
        } catch {
            return [.replacement(by: new)]
        }
    }
}
