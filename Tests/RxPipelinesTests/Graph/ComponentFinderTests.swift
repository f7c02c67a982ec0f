import Testing

@testable import RxPipelines

struct ComponentsTests {
    /// Joins the pairs, and returns the connected components.
    private func groups(_ pairs: [(String, String)], of nodes: String) -> Set<String> {
        var components = ComponentFinder()
        for (one, other) in pairs { components.join(one, other) }
        return Set(
            Dictionary(grouping: nodes.map(String.init)) { name in components.name(of: name) }.values.map {
                $0.joined()
            })
    }

    @Test(
        arguments: [
            ([], "ab", ["a", "b"]),
            ([("a", "b")], "abc", ["ab", "c"]),
            ([("a", "b"), ("c", "d")], "abcd", ["ab", "cd"]),
            ([("a", "b"), ("c", "d"), ("d", "a")], "abcd", ["abcd"]),
            ([("b", "a"), ("c", "a"), ("d", "a")], "abcd", ["abcd"]),
            ([("a", "b"), ("b", "a"), ("a", "a")], "abc", ["ab", "c"]),
            ([("a", "b"), ("b", "c"), ("c", "d"), ("e", "f")], "abcdef", ["abcd", "ef"]),
        ] as [([(String, String)], String, Set<String>)])
    func joinedNodesAreOneComponent(pairs: [(String, String)], nodes: String, expected: Set<String>) {
        #expect(groups(pairs, of: nodes) == expected)
    }
}
