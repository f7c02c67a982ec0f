/// A renderer that makes one edit at a time, such as one of a document.
///
/// ``SectionRenderer/apply(_:)`` calls its methods in the order that ``Edits`` describes, so that each place is valid
/// in what is shown at that moment. What moves is removed, held, and inserted again as it is. The snippet
/// `StepwiseRenderer` is a program with such a renderer.
public protocol StepwiseSectionRenderer<Header, Item>: SectionRenderer {
    /// A section as the renderer shows it, with its items.
    associatedtype RenderedSection
    /// An item as the renderer shows it.
    associatedtype RenderedItem

    /// The sections that are shown. ``SectionRenderer/apply(_:)`` sets them after each stage.
    var sections: [Section<Header, Item>] { get set }

    /// Returns what shows `section` with its items, which is inserted next.
    mutating func render(_ section: Section<Header, Item>) -> RenderedSection
    /// Returns what shows `item`, which is inserted next.
    mutating func render(_ item: Item) -> RenderedItem

    /// Shows `header` in place of that of the section at `index`.
    mutating func updateHeader(_ header: Header, at index: Int)
    /// Shows `item` in place of the content of the item at `path`.
    mutating func updateItem(_ item: Item, at path: SectionPath)
    /// Removes the section at `index`, and returns it: it may move.
    mutating func removeSection(at index: Int) -> RenderedSection
    /// Inserts `section` so that it is at `index`.
    mutating func insertSection(_ section: RenderedSection, at index: Int)
    /// Removes the item at `path`, and returns it: it may move.
    mutating func removeItem(at path: SectionPath) -> RenderedItem
    /// Inserts `item` so that it is at `path`.
    mutating func insertItem(_ item: RenderedItem, at path: SectionPath)
}

extension StepwiseSectionRenderer {
    /// Makes the edits of the stages, one after the other.
    ///
    /// - Complexity: O(*n*) calls of the renderer for *n* edits.
    public mutating func apply(_ stages: [Changeset<Header, Item>]) {
        for stage in stages {
            if stage.isReplacement {
                replaceAll(with: stage.value)
            } else {
                editSections(stage)
                editItems(stage)
            }
            sections = stage.value
        }
    }

    private mutating func editSections(_ stage: Changeset<Header, Item>) {
        let edits = stage.sections
        for index in edits.updated { updateHeader(stage.value[index].header, at: index) }
        var held: [RenderedSection?] = []
        for removal in edits.removals {
            let section = removeSection(at: removal.place)
            held.append(removal.isMove ? section : nil)
        }
        for arrival in edits.arrivals {
            let section = arrival.removal.flatMap { held[$0] } ?? render(stage.value[arrival.place])
            insertSection(section, at: arrival.place)
        }
    }

    private mutating func editItems(_ stage: Changeset<Header, Item>) {
        let edits = stage.items
        for path in edits.updated { updateItem(stage.value[path.section].items[path.item], at: path) }
        var held: [RenderedItem?] = []
        for removal in edits.removals {
            let item = removeItem(at: removal.place)
            held.append(removal.isMove ? item : nil)
        }
        for arrival in edits.arrivals {
            let path = arrival.place
            let item = arrival.removal.flatMap { held[$0] } ?? render(stage.value[path.section].items[path.item])
            insertItem(item, at: path)
        }
    }
}
