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
    func finds(wrong: String, name: String?) {
        #expect(Nearest.name(to: wrong, in: Self.names) == name)
    }

    @Test func equallyNearNamesGiveTheFirst() {
        #expect(Nearest.name(to: "tap", in: ["map", "tab", "cap"]) == "map")
    }
}
