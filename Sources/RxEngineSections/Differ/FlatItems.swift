/// The items of all sections as one sequence: their positions in it, and the places of these.
struct FlatItems<Header: Diffable, Item: Diffable> {
    private let sections: [Section<Header, Item>]
    /// By section, the position of its first item, and the number of items at the end.
    private let starts: [Int]
    /// By position, the section.
    private let owners: [Int]

    init(_ sections: [Section<Header, Item>]) {
        self.sections = sections
        var starts = [0]
        var owners: [Int] = []
        for (index, section) in sections.enumerated() {
            starts.append(starts[index] + section.items.count)
            owners.append(contentsOf: repeatElement(index, count: section.items.count))
        }
        (self.starts, self.owners) = (starts, owners)
    }

    var count: Int { owners.count }

    func positions(in section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    func section(at position: Int) -> Int { owners[position] }

    func path(at position: Int) -> SectionPath {
        SectionPath(section: owners[position], item: position - starts[owners[position]])
    }

    subscript(position: Int) -> Item {
        sections[owners[position]].items[position - starts[owners[position]]]
    }
}
