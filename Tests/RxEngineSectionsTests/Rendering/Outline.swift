import RxEngineSections
import Testing

/// A renderer that makes one edit at a time. Each place must be valid, and what it shows must be the stage's value.
struct Outline: StepwiseSectionRenderer {
    var sections: Sections {
        didSet { #expect(shown == sections) }
    }
    private(set) var shown: Sections
    private(set) var rendered: [String] = []
    private(set) var replacements = 0

    init(_ sections: Sections = []) {
        (self.sections, shown) = (sections, sections)
    }

    mutating func replaceAll(with sections: Sections) {
        shown = sections
        replacements += 1
    }

    mutating func render(_ section: Section<SectionTitle, Item>) -> Section<SectionTitle, Item> {
        rendered.append(section.id)
        return section
    }

    mutating func render(_ item: Item) -> Item {
        rendered.append("\(item)")
        return item
    }

    mutating func updateHeader(_ header: SectionTitle, at index: Int) { shown[index].header = header }
    mutating func updateItem(_ item: Item, at path: SectionPath) { shown[path.section].items[path.item] = item }
    mutating func removeSection(at index: Int) -> Section<SectionTitle, Item> { shown.remove(at: index) }
    mutating func insertSection(_ section: Section<SectionTitle, Item>, at index: Int) {
        shown.insert(section, at: index)
    }
    mutating func removeItem(at path: SectionPath) -> Item { shown[path.section].items.remove(at: path.item) }
    mutating func insertItem(_ item: Item, at path: SectionPath) {
        shown[path.section].items.insert(item, at: path.item)
    }
}
