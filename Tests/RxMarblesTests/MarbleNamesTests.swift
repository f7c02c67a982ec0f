import RxMarbles
import Testing

@Suite struct MarbleNamesTests {
    @Test func namesAreFreeAndMayBePreferred() {
        var names = MarbleNames(used: ["a", "c"])
        #expect(names.name() == "b")
        #expect(names.name(preferring: "7") == "7")
        #expect(names.name(preferring: "7") == "d")
        #expect(names.name(preferring: "long") == "e")
        #expect(names.name(preferring: "|") == "f")
        #expect(names.name(preferring: "") == "g")
    }

    @Test func manyNamesAreDistinctAndCanBeRead() throws {
        var names = MarbleNames()
        let all = (0..<2_000).map { _ in names.name() }
        #expect(Set(all).count == all.count)
        #expect(all.starts(with: "abc"))
        for name in all { #expect(try MarbleDiagram(String(name)).marbles == [Marble(0, .value(name))]) }
    }
}
