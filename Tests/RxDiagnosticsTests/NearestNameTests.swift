import RxDiagnostics
import Testing

struct NearestNameTests {
    static let names = ["every", "delay", "jitter", "combineLatest", "map", "to"]

    @Test(arguments: [
        ("evry", "every"), ("evrey", "every"), ("everyy", "every"), ("Delay", "delay"), ("deley", "delay"),
        ("combinelatest", "combineLatest"), ("combineLastest", "combineLatest"), ("mp", "map"), ("ot", "to"),
        ("combine", "combineLatest"), ("every-10s", "every"), ("ja", nil), ("ji", nil), ("jit", "jitter"),
        ("xyz", nil), ("", nil), ("retry", nil), (String(repeating: "x", count: 1000), nil),
    ])
    func nearestNameIsFound(wrong: String, name: String?) {
        #expect(NearestName.name(to: wrong, in: Self.names) == name)
    }

    @Test func firstOfEquallyNearNamesIsFound() {
        #expect(NearestName.name(to: "tap", in: ["map", "tab", "cap"]) == "map")
        #expect(NearestName.hint(for: "tap", in: ["map", "map", "tab", "cap"]) == "; did you mean 'map' or 'tab'?")
        #expect(NearestName.hint(for: "evry", in: Self.names) == "; did you mean 'every'?")
    }
}
