import Testing

@testable import RxPipelines

struct SinkNamesTests {
    /// Sinks such as `h:a`, which is of the kind `h` and has the text `a`.
    private static func sinks(_ text: String) -> [(kind: String, content: String)] {
        text.split(separator: " ").map { (kind: String($0.prefix(1)), content: String($0)) }
    }

    private static func text(_ sinkNames: SinkNames) -> String {
        func text(_ entries: [SinkNames.Entry]) -> String {
            entries.map { "\($0.name)=\($0.content)" }.joined(separator: " ")
        }
        return text(sinkNames.sinks) + (sinkNames.removed.isEmpty ? "" : " | " + text(sinkNames.removed))
    }

    @Test(arguments: [
        ("begins with the order", [""], "h:a f:x h:b", "h=h:a f=f:x h-2=h:b"),
        ("unchanged", ["h:a h:b"], "h:a h:b", "h=h:a h-2=h:b"),
        ("inserted above", ["h:b"], "h:a h:b", "h-2=h:a h=h:b"),
        ("inserted between", ["h:a h:b"], "h:a h:c h:b", "h=h:a h-3=h:c h-2=h:b"),
        ("removed above", ["h:a h:b"], "h:b", "h-2=h:b | h=h:a"),
        ("permuted", ["h:a f:x h:b"], "h:b h:a f:x", "h-2=h:b h=h:a f=f:x"),
        ("changed", ["h:a h:b"], "h:a h:c", "h=h:a h-2=h:c"),
        ("changed, and another moved above it", ["h:a h:b"], "h:b h:c", "h-2=h:b h=h:c"),
        ("changed, and another inserted below", ["h:a"], "h:b h:c", "h=h:b h-2=h:c"),
        ("both changed", ["h:a h:b"], "h:c h:d", "h=h:c h-2=h:d"),
        ("of another kind", ["h:a"], "f:x", "f=f:x | h=h:a"),
        ("the same twice", ["h:a h:a"], "h:a", "h=h:a | h-2=h:a"),
        ("removed, and another inserted later", ["h:a h:b", "h:a"], "h:a h:c", "h=h:a h-3=h:c | h-2=h:b"),
        ("removed, and back", ["h:a h:b", "h:b", "h:b h:c"], "h:c h:a h:b", "h-3=h:c h=h:a h-2=h:b"),
        ("equivalent texts", ["h:\u{E9} h:e\u{301}"], "h:e\u{301}", "h-2=h:e\u{301} | h=h:\u{E9}"),
        ("all removed, and one back", ["h:a h:b", ""], "h:b", "h-2=h:b | h=h:a"),
    ])
    func sinksKeepTheirNames(edit: String, before: [String], now: String, expected: String) {
        let sinkNames = (before + [now]).reduce(SinkNames()) { $0.next(for: Self.sinks($1)) }
        #expect(Self.text(sinkNames) == expected, "\(edit)")
    }

    @Test func highestNumberLeavesLowerOnes() {
        let forged = SinkNames(sinks: [SinkNames.Entry(kind: "h", number: .max, content: "h:a")])
        let sinkNames = forged.next(for: Self.sinks("h:a h:b h:c"))
        #expect(sinkNames.sinks.map(\.number) == [.max, 1, 2])
    }

    @Test func numbersBelowOneAreFollowedByOne() {
        let forged = SinkNames(sinks: [SinkNames.Entry(kind: "h", number: -7, content: "h:a")])
        #expect(forged.next(for: Self.sinks("h:a h:b")).sinks.map(\.number) == [-7, 1])
    }

    @Test func numbersOfForgottenSinksAreReused() {
        let sinkNames = ["h:a h:b h:c", "h:a"].reduce(SinkNames()) { $0.next(for: Self.sinks($1)) }
        let rest = sinkNames.forgettingRemoved { $0 == "h-2" }
        #expect(Self.text(rest) == "h=h:a | h-2=h:b")
        #expect(Self.text(rest.next(for: Self.sinks("h:a h:d"))) == "h=h:a h-3=h:d | h-2=h:b")
    }

    @Test(arguments: [
        (["h": "a", "f": "x"], ["h": "a", "f": "y"], true, "carried h, replaced f"),
        (["h": "a"], ["h": "a", "h-2": "a"], true, "carried h, replaced "),
        (["h": "a", "h-2": "b"], ["h-2": "b"], true, "carried h-2, replaced "),
        (["h": "a", "h-2": "b"], ["h": "a", "h-2": "c"], false, "carried , replaced h h-2"),
        (["h": "\u{E9}"], ["h": "e\u{301}"], true, "carried , replaced h"),
        ([:], ["h": "a"], false, "carried , replaced "),
    ])
    func onlyChangedSinksAreReplaced(
        old: [String: String], new: [String: String], isSameNode: Bool, expected: String
    ) {
        let changes = SinkChanges(from: old, to: new, isSameNode: isSameNode)
        let (carried, replaced) = (changes.carried.sorted(), changes.replaced.sorted())
        #expect("carried \(carried.joined(separator: " ")), replaced \(replaced.joined(separator: " "))" == expected)
    }
}
