import RxJSON

/// The initialization of the library behind `match` and `test`, which on first use is not thread-safe.
enum JQRegularExpressions {
    /// Initializes the library if a program may use it.
    static func setUp(for source: JQSource) {
        if source.prelude.contains("_match_impl") || source.body.contains("test") { _ = isSetUp }
    }

    private static let isSetUp: Void = {
        guard let state = try? JQState(#"test("") | debug | empty"#), state.take() else { return }
        _ = try? state.run(JV(.string("")), for: nil, limit: 1)
    }()
}
