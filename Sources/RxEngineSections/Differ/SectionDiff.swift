/// A comparison of two values: what corresponds to what, what stays in place, and the stages from one to the other.
struct SectionDiff<Header: Diffable, Item: Diffable> {
    typealias Value = [Section<Header, Item>]

    /// A section between the second stage, which inserts the new ones, and the last, which deletes the old ones.
    private enum IntermediateSection {
        case old(Int)
        case inserted(new: Int)
    }

    private let old: Value
    private let new: Value
    private let oldItems: FlatItems<Header, Item>
    private let newItems: FlatItems<Header, Item>
    private var sections: IdentityTable<Header.ID>
    private var items: IdentityTable<Item.ID>
    /// By new index, whether the section keeps its place among the others.
    private var sectionStays: [Bool]
    /// By new position, whether the item keeps its section, and its place among the other items there.
    private var itemStays: [Bool]

    init(from old: Value, to new: Value) throws(DuplicateIdentity) {
        (self.old, self.new) = (old, new)
        (oldItems, newItems) = (FlatItems(old), FlatItems(new))
        sections = IdentityTable(oldCount: old.count, newCount: new.count)
        items = IdentityTable(oldCount: oldItems.count, newCount: newItems.count)
        sectionStays = [Bool](repeating: false, count: new.count)
        itemStays = [Bool](repeating: false, count: newItems.count)
        try matchSections()
        try matchItems()
        findStableSections()
        findStableItems()
    }

    /// The stages that have edits.
    var stages: [Changeset<Header, Item>] {
        let between = sectionsBetween()
        let updated = updateContents()
        return [
            updated, insertSections(between, after: updated.value), editItems(between), removeSections(between),
        ].filter { !$0.isEmpty }
    }
}

// MARK: - What corresponds to what

extension SectionDiff {
    private mutating func matchSections() throws(DuplicateIdentity) {
        for (index, section) in old.enumerated() {
            if let first = sections.addOld(section.id) {
                throw .section(id: "\(section.id)", first: first, second: index, side: .old)
            }
        }
        for (index, section) in new.enumerated() {
            if let first = sections.addNew(section.id) {
                throw .section(id: "\(section.id)", first: first, second: index, side: .new)
            }
        }
    }

    private mutating func matchItems() throws(DuplicateIdentity) {
        for position in 0..<oldItems.count {
            let id = oldItems[position].id
            if let first = items.addOld(id) {
                let (first, second) = (oldItems.path(at: first), oldItems.path(at: position))
                throw .item(id: "\(id)", first: first, second: second, side: .old)
            }
        }
        for position in 0..<newItems.count {
            let id = newItems[position].id
            if let first = items.addNew(id) {
                let (first, second) = (newItems.path(at: first), newItems.path(at: position))
                throw .item(id: "\(id)", first: first, second: second, side: .new)
            }
        }
    }

    private mutating func findStableSections() {
        let kept = new.indices.filter { sections.oldPositions[$0] != nil }
        var ranks = [Int](repeating: 0, count: new.count)
        for (rank, index) in kept.enumerated() { ranks[index] = rank }
        let order = StableOrder(newPositions: sections.newPositions.compactMap { $0.map { ranks[$0] } })
        for (rank, index) in kept.enumerated() { sectionStays[index] = order.stays[rank] }
    }

    private mutating func findStableItems() {
        var ranks = [Int](repeating: 0, count: newItems.count)
        for section in new.indices {
            guard let oldSection = sections.oldPositions[section] else { continue }
            let kept = newItems.positions(in: section).filter { position in
                items.oldPositions[position].map(oldItems.section(at:)) == oldSection
            }
            for (rank, position) in kept.enumerated() { ranks[position] = rank }
            let newRanks = oldItems.positions(in: oldSection).compactMap { position in
                items.newPositions[position].flatMap { newItems.section(at: $0) == section ? ranks[$0] : nil }
            }
            let order = StableOrder(newPositions: newRanks)
            for (rank, position) in kept.enumerated() { itemStays[position] = order.stays[rank] }
        }
    }

    /// The old sections in their order, and each new one behind the section that it follows in the new value, or behind
    /// the one before that if that moves.
    private func sectionsBetween() -> [IntermediateSection] {
        var followers = [[IntermediateSection]](repeating: [], count: old.count + 1)
        var anchor = 0
        for index in new.indices {
            guard let oldIndex = sections.oldPositions[index] else {
                followers[anchor].append(.inserted(new: index))
                continue
            }
            if sectionStays[index] { anchor = oldIndex + 1 }
        }
        return followers[0] + old.indices.flatMap { [.old($0)] + followers[$0 + 1] }
    }
}

// MARK: - The stages

extension SectionDiff {
    private func updateContents() -> Changeset<Header, Item> {
        var value = old
        var (headerEdits, itemEdits) = (Edits<Int>(), Edits<SectionPath>())
        for (index, section) in old.enumerated() {
            guard let newIndex = sections.newPositions[index], new[newIndex].header != section.header else { continue }
            value[index].header = new[newIndex].header
            headerEdits.updated.append(index)
        }
        for position in 0..<oldItems.count {
            guard let newPosition = items.newPositions[position] else { continue }
            let item = newItems[newPosition]
            guard item != oldItems[position] else { continue }
            let path = oldItems.path(at: position)
            value[path.section].items[path.item] = item
            itemEdits.updated.append(path)
        }
        return Changeset(value, sections: headerEdits, items: itemEdits)
    }

    private func insertSections(_ between: [IntermediateSection], after before: Value) -> Changeset<Header, Item> {
        var edits = Edits<Int>()
        var value: Value = []
        for (index, section) in between.enumerated() {
            switch section {
            case .old(let old):
                value.append(before[old])
            case .inserted(let inserted):
                let positions = newItems.positions(in: inserted).filter { items.oldPositions[$0] == nil }
                value.append(Section(new[inserted].header, items: positions.map { newItems[$0] }))
                edits.arrivals.append(.init(place: index, removal: nil))
            }
        }
        return Changeset(value, sections: edits)
    }

    private func editItems(_ between: [IntermediateSection]) -> Changeset<Header, Item> {
        var edits = Edits<SectionPath>()
        // By new position, the index of the removal of an item that moves.
        var removals = [Int?](repeating: nil, count: newItems.count)
        for (index, section) in between.enumerated().reversed() {
            guard case .old(let old) = section else { continue }
            let isDeleted = sections.newPositions[old] == nil
            for position in oldItems.positions(in: old).reversed() {
                let place = SectionPath(section: index, item: oldItems.path(at: position).item)
                if let newPosition = items.newPositions[position] {
                    if itemStays[newPosition] { continue }
                    removals[newPosition] = edits.removals.count
                    edits.removals.append(.init(place: place, isMove: true))
                } else if !isDeleted {
                    edits.removals.append(.init(place: place, isMove: false))
                }
            }
        }
        var value: Value = []
        for (index, section) in between.enumerated() {
            let newIndex: Int
            let hasNewItems: Bool
            switch section {
            case .inserted(let inserted):
                (newIndex, hasNewItems) = (inserted, true)
            case .old(let old):
                guard let kept = sections.newPositions[old] else {
                    let gone = oldItems.positions(in: old).filter { items.newPositions[$0] == nil }
                    value.append(Section(self.old[old].header, items: gone.map { oldItems[$0] }))
                    continue
                }
                (newIndex, hasNewItems) = (kept, false)
            }
            for position in newItems.positions(in: newIndex) where !itemStays[position] {
                if hasNewItems, items.oldPositions[position] == nil { continue }
                let place = SectionPath(section: index, item: newItems.path(at: position).item)
                edits.arrivals.append(.init(place: place, removal: removals[position]))
            }
            value.append(new[newIndex])
        }
        return Changeset(value, items: edits)
    }

    private func removeSections(_ between: [IntermediateSection]) -> Changeset<Header, Item> {
        var edits = Edits<Int>()
        // By new index, the index of the removal of a section that moves.
        var removals = [Int?](repeating: nil, count: new.count)
        for (index, section) in between.enumerated().reversed() {
            guard case .old(let old) = section else { continue }
            if let newIndex = sections.newPositions[old] {
                if sectionStays[newIndex] { continue }
                removals[newIndex] = edits.removals.count
                edits.removals.append(.init(place: index, isMove: true))
            } else {
                edits.removals.append(.init(place: index, isMove: false))
            }
        }
        for (index, removal) in removals.enumerated() {
            if let removal { edits.arrivals.append(.init(place: index, removal: removal)) }
        }
        return Changeset(new, sections: edits)
    }
}
