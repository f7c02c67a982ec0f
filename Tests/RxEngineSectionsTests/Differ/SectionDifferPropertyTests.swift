import RxEngineSections
import SeededRandom
import Testing

/// What holds for the stages between any two values.
@Suite struct SectionDifferPropertyTests {
    private static let pairs = 3000

    /// Unrelated values, in which most sections and items are elsewhere.
    @Test func stagesOfUnrelatedValuesLeadToTheNewValue() throws {
        for seed in 0..<UInt64(Self.pairs) {
            var random = SplitMix64(seed: seed)
            let (ids, items) = (random.within(0...7), random.within(0...25))
            try check(from: random.sections(ids: ids, items: items), to: random.sections(ids: ids, items: items), seed)
        }
    }

    /// Values a few edits apart.
    @Test func applyingStagesYieldsNewValue() throws {
        for seed in 0..<UInt64(Self.pairs) {
            var random = SplitMix64(seed: seed)
            let old = random.sections(ids: 6, items: 30)
            let edits = random.within(1...12)
            try check(from: old, to: random.edited(old, edits: edits), seed)
        }
    }

    /// The same sections and items, everything elsewhere.
    @Test func stagesOfShuffledValuesLeadToTheNewValue() throws {
        for seed in 0..<UInt64(Self.pairs / 5) {
            var random = SplitMix64(seed: seed)
            let old = random.sections(ids: 5, items: 40)
            var new = old.shuffled(using: &random)
            for index in new.indices { new[index].items.shuffle(using: &random) }
            try check(from: old, to: new, seed)
            try check(from: old, to: old.reversed(), seed)
        }
    }

    private func check(from old: Sections, to new: Sections, _ seed: UInt64) throws {
        let stages = try SectionDiffer.changesets(from: old, to: new)
        func comment() -> Comment { "seed \(seed): \(old) to \(new)" }
        #expect(stages.count <= 4, comment())
        #expect((old == new) == stages.isEmpty, comment())
        #expect((stages.last?.value ?? old) == new, comment())
        #expect(try checkedApplication(of: stages, to: old) == new, comment())
        var renderer = Outline(old)
        renderer.apply(stages)
        #expect(renderer.shown == new && renderer.sections == new, comment())
        checkCounts(stages, LeastEdits(from: old, to: new), comment)
    }

    /// Only what has to change changes, and the moves are at most twice as many as necessary.
    private func checkCounts(_ stages: [Stage], _ least: LeastEdits, _ comment: () -> Comment) {
        func total(_ count: (Stage) -> Int) -> Int { stages.reduce(0) { $0 + count($1) } }
        #expect(total { $0.sections.updated.count } == least.headers, comment())
        #expect(total { $0.sections.deleted.count } == least.deletedSections, comment())
        #expect(total { $0.sections.inserted.count } == least.insertedSections, comment())
        #expect(total { $0.items.updated.count } == least.updatedItems, comment())
        #expect(total { $0.items.deleted.count } == least.deletedItems, comment())
        #expect(total { $0.items.inserted.count } == least.insertedItems, comment())
        let (sectionMoves, itemMoves) = (total { $0.sections.moved.count }, total { $0.items.moved.count })
        #expect((least.sectionMoves...2 * least.sectionMoves).contains(sectionMoves), comment())
        #expect((least.itemMoves...2 * least.itemMoves).contains(itemMoves), comment())
    }
}

/// How many edits any differ needs.
private struct LeastEdits {
    let headers: Int
    let deletedSections: Int
    let insertedSections: Int
    let sectionMoves: Int
    let updatedItems: Int
    let deletedItems: Int
    let insertedItems: Int
    let itemMoves: Int

    init(from old: Sections, to new: Sections) {
        let oldSections = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let newSections = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0) })
        let oldItems = Self.places(of: old)
        let newItems = Self.places(of: new)
        headers = new.count { oldSections[$0.id].map(\.header) ?? $0.header != $0.header }
        deletedSections = old.count { newSections[$0.id] == nil }
        insertedSections = new.count { oldSections[$0.id] == nil }
        sectionMoves = leastMoves(old.map(\.id), new.map(\.id))
        updatedItems = newItems.count { id, new in oldItems[id].map { $0.item != new.item } ?? false }
        // Those of a section that goes, or is new, go or come with it.
        deletedItems = oldItems.count { id, old in newItems[id] == nil && newSections[old.section] != nil }
        insertedItems = newItems.count { id, new in oldItems[id] == nil && oldSections[new.section] != nil }
        let toOtherSections = newItems.count { id, new in oldItems[id].map { $0.section != new.section } ?? false }
        itemMoves =
            toOtherSections
            + new.reduce(0) { $0 + leastMoves((oldSections[$1.id]?.items ?? []).map(\.id), $1.items.map(\.id)) }
    }

    private static func places(of sections: Sections) -> [Int: (section: String, item: Item)] {
        Dictionary(
            uniqueKeysWithValues: sections.flatMap { section in section.items.map { ($0.id, (section.id, $0)) } })
    }
}

/// How many of the elements that both have must move: all but a longest increasing subsequence, found by comparing all
/// pairs.
func leastMoves<Element: Hashable>(_ old: [Element], _ new: [Element]) -> Int {
    let common = new.compactMap { old.firstIndex(of: $0) }
    var lengths: [Int] = []
    for (index, position) in common.enumerated() {
        lengths.append(1 + (common[..<index].indices.filter { common[$0] < position }.map { lengths[$0] }.max() ?? 0))
    }
    return common.count - (lengths.max() ?? 0)
}
