import RxEngineSections

/// The cost of finding the edits between two lists, which must grow in proportion to the items.
let sectionWorkloads = [
    Workload("section-differ-1000", weight: 1_000) { count in findEdits(count, in: thousand) },
    Workload("section-differ-10000", weight: 10_000) { count in findEdits(count, in: tenThousand) },
]

private typealias Sections = [Section<SectionTitle, Identified<Int, Int>>]

// Made before the measurement, by whichever workload runs first.
private let thousand = lists(of: 1_000)
private let tenThousand = lists(of: 10_000)

/// Two lists in sections of a hundred items: of ten items one is gone, one new, one changed, and one in the next section.
private func lists(of size: Int) -> (old: Sections, new: Sections) {
    (
        sections(0..<size, value: { _ in 0 }, place: { $0 }),
        sections(size / 10..<size + size / 10, value: { $0 % 10 == 3 ? 1 : 0 }, place: { $0 + $0 % 10 / 9 * 100 })
    )
}

private func sections(_ items: Range<Int>, value: (Int) -> Int, place: (Int) -> Int) -> Sections {
    Dictionary(grouping: items) { place($0) / 100 }.sorted { $0.key < $1.key }.map { number, items in
        Section(SectionTitle("\(number)"), items: items.map { Identified(value($0), id: $0) })
    }
}

private func findEdits(_ count: Int, in lists: (old: Sections, new: Sections)) {
    for _ in 0..<count {
        drain.take(SectionDiffer.changesetsOrReplacement(from: lists.old, to: lists.new).count)
    }
}
