import RxDiagnostics
import Testing

struct NearestTests {
    static let names = ["every", "delay", "jitter", "combineLatest", "map", "to"]

    @Test(arguments: [
        ("evry", "every"), ("evrey", "every"), ("everyy", "every"), ("Delay", "delay"), ("deley", "delay"),
        ("combinelatest", "combineLatest"), ("combineLastest", "combineLatest"), ("mp", "map"), ("ot", "to"),
        ("combine", "combineLatest"), ("every-10s", "every"), ("ja", nil), ("ji", nil), ("jit", "jitter"),
        ("xyz", nil), ("", nil), ("retry", nil), (String(repeating: "x", count: 1000), nil),
    ])
    func nearestNameIsFound(wrong: String, name: String?) {
        #expect(Nearest.name(to: wrong, in: Self.names) == name)
    }

    @Test func firstOfEquallyNearNamesIsFound() {
        #expect(Nearest.name(to: "tap", in: ["map", "tab", "cap"]) == "map")
        #expect(Nearest.hint(for: "tap", in: ["map", "map", "tab", "cap"]) == "; did you mean 'map' or 'tab'?")
        #expect(Nearest.hint(for: "evry", in: Self.names) == "; did you mean 'every'?")
    }
}
