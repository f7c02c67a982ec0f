import RxEngineSections
import Testing

/// Applies stages by what the documentation of `Edits` and of `Changeset` says, and only that, and checks each place.
func checkedApplication(of stages: [Stage], to old: Sections) throws -> Sections {
    var shown = old
    for stage in stages {
        let before = shown
        try checkOrder(stage)
        for index in stage.sections.updated {
            try #require(before.indices.contains(index))
            #expect(before[index].id == stage.value[index].id && before[index].header != stage.value[index].header)
            shown[index].header = stage.value[index].header
        }
        for path in stage.items.updated {
            let (old, new) = (try item(at: path, in: before), try item(at: path, in: stage.value))
            #expect(old.id == new.id && old != new)
            shown[path.section].items[path.item] = new
        }
        for index in removals(stage.sections) {
            try #require(shown.indices.contains(index))
            shown.remove(at: index)
        }
        for path in removals(stage.items) {
            _ = try item(at: path, in: shown)
            shown[path.section].items.remove(at: path.item)
        }
        let sectionSources = Dictionary(uniqueKeysWithValues: stage.sections.moved.map { ($0.to, $0.from) })
        for index in stage.sections.inserted + stage.sections.moved.map(\.to) {
            try #require(stage.value.indices.contains(index))
        }
        for index in (stage.sections.inserted + stage.sections.moved.map(\.to)).sorted() {
            try #require(index <= shown.count)
            shown.insert(sectionSources[index].map { before[$0] } ?? stage.value[index], at: index)
        }
        let itemSources = Dictionary(uniqueKeysWithValues: stage.items.moved.map { ($0.to, $0.from) })
        for path in (stage.items.inserted + stage.items.moved.map(\.to)).sorted() {
            try #require(shown.indices.contains(path.section))
            try #require(path.item <= shown[path.section].items.count)
            let content = try itemSources[path].map { try item(at: $0, in: before) } ?? item(at: path, in: stage.value)
            shown[path.section].items.insert(content, at: path.item)
        }
        #expect(shown == stage.value)
        #expect(stage.count > 0)
    }
    return shown
}

/// The places that are free before anything is inserted, from the last to the first.
private func removals<Place>(_ edits: Edits<Place>) -> [Place] {
    (edits.deleted + edits.moved.map(\.from)).sorted(by: >)
}

private func item(at path: SectionPath, in value: Sections) throws -> Item {
    try #require(value.indices.contains(path.section))
    try #require(value[path.section].items.indices.contains(path.item))
    return value[path.section].items[path.item]
}

/// Each list is in its order and without repetition, and a stage has only edits that go together.
private func checkOrder(_ stage: Stage) throws {
    checkOrder(stage.sections)
    checkOrder(stage.items)
    let kinds = [
        !stage.sections.updated.isEmpty || !stage.items.updated.isEmpty,
        !stage.sections.inserted.isEmpty,
        stage.items.count > stage.items.updated.count,
        !stage.sections.deleted.isEmpty || !stage.sections.moved.isEmpty,
    ]
    #expect(kinds.count { $0 } == 1)
}

private func checkOrder<Place>(_ edits: Edits<Place>) {
    func isAscending(_ places: [Place]) -> Bool { zip(places, places.dropFirst()).allSatisfy { $0 < $1 } }
    #expect(isAscending(edits.updated))
    #expect(isAscending(edits.deleted.reversed()))
    #expect(isAscending(edits.inserted))
    #expect(isAscending(edits.moved.map(\.to)))
    #expect(isAscending(removals(edits).reversed()))
    #expect(isAscending((edits.inserted + edits.moved.map(\.to)).sorted()))
    #expect(edits.count == edits.updated.count + edits.deleted.count + edits.inserted.count + edits.moved.count)
    #expect(edits.isEmpty == (edits.count == 0))
}
