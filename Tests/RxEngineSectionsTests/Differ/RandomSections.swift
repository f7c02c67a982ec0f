import RxEngineSections
import SeededRandom

extension SplitMix64 {
    /// Sections with some of the identities below the limits, in any order, and items anywhere.
    mutating func sections(ids: Int, items: Int) -> Sections {
        var sections: Sections = []
        for id in 0..<ids where chance(60) { sections.append(Section(title(id), items: [])) }
        sections.shuffle(using: &self)
        guard !sections.isEmpty else { return [] }
        for id in (0..<items).shuffled(using: &self) where chance(70) {
            sections[below(sections.count)].items.append(Item(id: id, version: below(3)))
        }
        return sections
    }

    /// `sections` with some edits of any kind.
    mutating func edited(_ sections: Sections, edits: Int) -> Sections {
        var (sections, next) = (sections, 1000)
        for _ in 0..<edits {
            next += 1
            switch below(9) {
            case 0: sections.insert(Section(title(next), items: []), at: below(sections.count + 1))
            case 1 where !sections.isEmpty: sections.remove(at: below(sections.count))
            case 2 where !sections.isEmpty:
                let section = sections.remove(at: below(sections.count))
                sections.insert(section, at: below(sections.count + 1))
            case 3 where !sections.isEmpty:
                sections[below(sections.count)].header.value += "'"
            case 4, 5: insert(Item(id: next), into: &sections)
            case 6: _ = takeItem(from: &sections)
            case 7:
                if let item = takeItem(from: &sections) { insert(item, into: &sections) }
            default:
                if var item = takeItem(from: &sections) {
                    item.version += 1
                    insert(item, into: &sections)
                }
            }
        }
        return sections
    }

    private mutating func title(_ id: Int) -> SectionTitle {
        SectionTitle("section \(id)" + (chance(30) ? "'" : ""), id: "\(id)")
    }

    private mutating func insert(_ item: Item, into sections: inout Sections) {
        if sections.isEmpty { return }
        let section = below(sections.count)
        sections[section].items.insert(item, at: below(sections[section].items.count + 1))
    }

    private mutating func takeItem(from sections: inout Sections) -> Item? {
        let filled = sections.indices.filter { !sections[$0].items.isEmpty }
        if filled.isEmpty { return nil }
        let section = pick(filled)
        return sections[section].items.remove(at: below(sections[section].items.count))
    }
}
