/// One stage on the way from a value to another: edits whose places are all valid when the stage is applied.
///
/// The stages that ``SectionDiffer`` returns are applied in order. There are at most four; a stage without edits is
/// left out:
///
/// 1. headers and items get new content, each in its place;
/// 2. new sections are inserted, with those of their items that are new;
/// 3. items are deleted, inserted and moved, also between sections;
/// 4. sections are deleted, with those of their items that are gone, and moved.
///
/// Hence an item never moves to a section that does not exist yet, or from one that no longer exists, and nothing is
/// updated in a stage that moves anything. ``Edits`` says how to apply a stage.
public struct Changeset<Header: Diffable, Item: Diffable>: Equatable {
    /// The value after the stage.
    public let value: [Section<Header, Item>]
    /// Whether everything is replaced by ``value``. Such a stage has no edits.
    public let isReplacement: Bool
    /// The edits of sections; an updated section has a new header.
    public let sections: Edits<Int>
    /// The edits of items.
    public let items: Edits<SectionPath>

    init(_ value: [Section<Header, Item>], sections: Edits<Int> = Edits(), items: Edits<SectionPath> = Edits()) {
        (self.value, self.sections, self.items, isReplacement) = (value, sections, items, false)
    }

    private init(replacingAllWith value: [Section<Header, Item>]) {
        (self.value, sections, items, isReplacement) = (value, Edits(), Edits(), true)
    }

    /// Creates a stage that replaces everything by `value`.
    public static func replacement(by value: [Section<Header, Item>]) -> Changeset {
        Changeset(replacingAllWith: value)
    }

    /// The number of edits. A replacement has none.
    ///
    /// - Complexity: O(*n*) for *n* edits.
    public var count: Int { sections.count + items.count }

    var isEmpty: Bool { sections.isEmpty && items.isEmpty && !isReplacement }
}

extension Changeset: CustomStringConvertible {
    /// The edits, such as `sections: inserted [2]; items: deleted [section 0, item 1]`, or that everything is replaced.
    public var description: String {
        if isReplacement { return "replaced by \(value.count) \(value.count == 1 ? "section" : "sections")" }
        let parts = [sections.isEmpty ? nil : "sections: \(sections)", items.isEmpty ? nil : "items: \(items)"]
        return isEmpty ? "no edits" : parts.compactMap(\.self).joined(separator: "; ")
    }
}

extension Changeset: Sendable where Header: Sendable, Item: Sendable {}
