import RxJSON

/// The library behind `match` and its kin, which sets itself up on first use, and not in a way for two threads at once.
enum JQRegularExpressions {
    /// Has it set up before a program uses it.
    static func setUp(for source: JQSource) {
        if source.prelude.contains("_match_impl") || source.body.contains("test") { _ = isSetUp }
    }

    private static let isSetUp: Void = {
        guard let state = try? JQState(#"test("") | debug | empty"#), state.take() else { return }
        _ = try? state.run(JV(.string("")), for: nil, limit: 1)
    }()
}
