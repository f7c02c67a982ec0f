import RxEngineSections
import Testing

/// The stages between two values, case by case.
@Suite struct SectionDifferTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let old: String
        let new: String
        let stages: [String]

        init(_ name: String, _ old: String, _ new: String, _ stages: String...) {
            (self.name, self.old, self.new, self.stages) = (name, old, new, stages)
        }

        var testDescription: String { name }
    }

    static let cases = [
        Case("nothing to nothing", "", ""),
        Case("equal values", "A 1 2 | B 3", "A 1 2 | B 3"),
        Case("everything is new", "", "A 1 2 | B", "insert 0 1"),
        Case("everything goes", "A 1 2 | B", "", "delete 1 0"),
        Case("an item is inserted in front", "A 1 2 3", "A 4 1 2 3", "insert 0.0"),
        Case("an item is inserted in between", "A 1 2 3", "A 1 4 2 3", "insert 0.1"),
        Case("an item is inserted behind", "A 1 2 3 | B", "A 1 2 3 4 | B", "insert 0.3"),
        Case("an item is deleted", "A 1 2 3", "A 1 3", "delete 0.1"),
        Case("an item is replaced", "A 1 2 3", "A 1 4 3", "delete 0.1, insert 0.1"),
        Case("an item changes", "A 1 2 3", "A 1 2v1 3", "update 0.1"),
        Case("an item changes and moves", "A 1 2 3", "A 2 3 1v1", "update 0.0", "move 0.0>0.2"),
        Case("the first item becomes the last", "A 1 2 3 4", "A 2 3 4 1", "move 0.0>0.3"),
        Case("the last item becomes the first", "A 1 2 3 4", "A 4 1 2 3", "move 0.3>0.0"),
        Case("the ends change places", "A 1 2 3 4", "A 4 2 3 1", "move 0.3>0.0 0.0>0.3"),
        Case(
            "an item moves while others come and go", "A 1 2 3 4", "A 5 3 1 4", "delete 0.1, insert 0.0, move 0.0>0.2"),
        Case("an item moves to another section", "A 1 2 | B 3", "A 2 | B 3 1", "move 0.0>1.1"),
        Case("sections exchange items", "A 1 | B 2", "A 2 | B 1", "move 1.0>0.0 0.0>1.0"),
        Case("an item moves to a new section", "A 1 2", "B 2 3 | A 1", "insert 0", "move 1.1>0.0"),
        Case("an item leaves a section that goes", "A 1 2 | B 3", "B 3 1", "move 0.0>1.1", "delete 0"),
        Case("an item goes from an old section to a new one", "A 1", "B 1", "insert 0", "move 1.0>0.0", "delete 1"),
        Case("a section is renamed", "A 1 | B 2", "A 1 | B=b 2", "update 1"),
        Case("a section is renamed and moves", "A 1 | B 2 | C 3", "C=c 3 | A 1 | B 2", "update 2", "move 2>0"),
        Case("a section moves with its items", "A 1 | B 2 | C 3", "B 2 | C 3 | A 1", "move 0>2"),
        Case(
            "a section moves, and so does its item", "A 1 2 | B 3 | C 4", "B 3 2 | C 4 | A 1", "move 0.1>1.1",
            "move 0>2"),
        Case("a section is inserted in between", "A | B", "A | C 1 | B", "insert 1"),
        Case("a section is inserted behind one that moves", "A | B | C", "C | D | A | B", "insert 0", "move 3>0"),
        Case("a section goes with its items", "A 1 | B 2 3 | C 4", "A 1 | C 4", "delete 1"),
        Case("an empty section gets items", "A | B", "A | B 1 2", "insert 1.0 1.1"),
        Case("a section is emptied", "A 1 2 | B", "A | B", "delete 0.1 0.0"),
        Case(
            "all stages at once", "A 1 2 | B 3 4 | C 5", "D 6 1v1 | C 5 7 | A=a 2",
            "update 0, update 0.0", "insert 0", "insert 3.1, move 1.0>0.1", "delete 2, move 1>2"),
    ]

    /// What a developer sees who prints a stage.
    @Test func stagesArePrinted() throws {
        func printed(_ old: String, _ new: String) throws -> [String] {
            try SectionDiffer.changesets(from: sections(old), to: sections(new)).map { "\($0)" }
        }
        #expect(
            try printed("A 1 2 | B 3 4 | C 5", "D 6 1v1 | C 5 7 | A=a 2") == [
                "sections: updated [0]; items: updated [section 0, item 0]", "sections: inserted [0]",
                "items: inserted [section 3, item 1], moved [section 1, item 0 to section 0, item 1]",
                "sections: deleted [2], moved [1 to 2]",
            ])
        #expect("\(Changeset.replacement(by: sections("A 1")))" == "replaced by 1 section")
        #expect("\(Changeset.replacement(by: sections("")))" == "replaced by 0 sections")
        #expect("\(Changeset.replacement(by: sections("A 1")).items)" == "no edits")
    }

    @Test(arguments: cases) func stagesAre(_ example: Case) throws {
        let (old, new) = (sections(example.old), sections(example.new))
        let stages = try SectionDiffer.changesets(from: old, to: new)
        #expect(stages.map(\.text) == example.stages)
        #expect((stages.last?.value ?? old) == new)
        #expect(stages.allSatisfy { !$0.isReplacement })
        #expect(try checkedApplication(of: stages, to: old) == new)
    }

    @Test func duplicateSectionIsAnError() {
        #expect(throws: DuplicateIdentity.section(id: "A", first: 0, second: 2, side: .old)) {
            _ = try SectionDiffer.changesets(from: sections("A | B | A"), to: [])
        }
        #expect(throws: DuplicateIdentity.section(id: "B", first: 1, second: 2, side: .new)) {
            _ = try SectionDiffer.changesets(from: sections("A"), to: sections("A | B | B"))
        }
    }

    @Test func duplicateItemIsAnErrorAlsoInAnotherSection() {
        let (first, second) = (SectionPath(section: 0, item: 1), SectionPath(section: 2, item: 0))
        #expect(throws: DuplicateIdentity.item(id: "2", first: first, second: second, side: .old)) {
            _ = try SectionDiffer.changesets(from: sections("A 1 2 | B | C 2"), to: [])
        }
        // Known from the old value, and new.
        for old in ["A 2", ""] {
            #expect(throws: DuplicateIdentity.item(id: "2", first: first, second: second, side: .new)) {
                _ = try SectionDiffer.changesets(from: sections(old), to: sections("A 1 2 | B | C 2"))
            }
        }
    }

    @Test func errorsSayWhereAndWhatToDo() {
        let item = DuplicateIdentity.item(
            id: "7", first: SectionPath(section: 0, item: 1), second: SectionPath(section: 2, item: 0), side: .new)
        #expect(
            "\(item)" == """
                two items of the new value have the id "7", at section 0, item 1, and at section 2, item 0: \
                give every item an id that no other item has in any section
                """)
        #expect(
            "\(DuplicateIdentity.section(id: "A", first: 0, second: 3, side: .old))" == """
                two sections of the old value have the id "A", at index 0 and 3: give every section an id of its own
                """)
    }

    @Test func duplicateIsReplacedAsAWhole() {
        let new = sections("A 1 1")
        let stages = SectionDiffer.changesetsOrReplacement(from: sections("A 1"), to: new)
        #expect(stages == [.replacement(by: new)])
        #expect(stages.map(\.isReplacement) == [true])
        #expect(stages.map(\.count) == [0])
        // The next value is compared with one that has a duplicate.
        let next = SectionDiffer.changesetsOrReplacement(from: new, to: sections("A 1"))
        #expect(next == [.replacement(by: sections("A 1"))])
    }

    @Test func identityIsTheValueOrAProperty() {
        let (one, other) = (
            Section(Identified("A"), items: [Identified("ab", id: \.count)]), Identified("cd", id: \.count)
        )
        let stages = SectionDiffer.changesetsOrReplacement(from: [one], to: [Section(Identified("A"), items: [other])])
        #expect(stages.map(\.text) == ["update 0.0"])
        #expect(one.id == "A")
    }
}
