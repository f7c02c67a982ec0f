extension HostileExpression {
    /// Loops, and endless recursion.
    static let loops: [HostileExpression] = [
        .init("def f: f; f", "1", .fails("stopped after 2s: it did not return")),
        .init("def f: 1 + f; f", "1", .exceedsLimit),
        .init("def f: [f]; f", "1", .exceedsLimit),
        .init("def f: {a: f}; f", "1", .exceedsLimit),
        .init("def f(x): f(x | x); f(.)", "1", .exceedsLimit),
        .init("def f($x): f($x + 1); f(0)", "1", .exceedsLimit),
        .init("[recurse] | length", "[[[[1]]]]", .gives("5")),
        .init("[recurse(.)]", "1", .exceedsLimit),
        .init("[limit(5; recurse(. + 1))]", "1", .gives("[1,2,3,4,5]")),
        .init("last(range(1e12))", "1", .fails("stopped after 2s: it did not return")),
        .init("foreach range(1e12) as $i (0; .; empty)", "1", .fails("stopped after 2s: it did not return")),
        .init(doubling("[., .]") + "length", "1", .gives("2")),
        .init(doubling("[., .]") + "tojson | length", "1", .exceedsLimit),
        .init(doubling("[., .]") + "\"\\(.)\"", "1", .exceedsLimit),
        .init(
            "[(" + doubling("[., .]") + ".), (" + doubling("[., .]") + ".)] | .[0] == .[1]", "1",
            .fails("stopped after 2s: it did not return")),
        .init(doubling("(. + .)") + "length", "\"a\"", .exceedsLimit),
        .init(doubling("{a: ., b: .}") + "tojson", "1", .exceedsLimit),
        .init("label $f | repeat(break $f)", "1", .gives("")),
        .init(#"try repeat(error("x")) catch ."#, "1", .gives(#""x""#)),
        .init("[limit(100001; repeat(.))] | length", "1", .gives("100001")),
        .init("repeat(.)", "1", .fails("more than 100000 outputs for one input")),
        .init("range(100001)", "1", .fails("more than 100000 outputs for one input")),
        .init("range(100000) | select(. > 99998)", "1", .gives("99999")),
    ]

    /// Thirty stages, each of which doubles what it gets.
    private static func doubling(_ stage: String) -> String {
        String(repeating: stage + " | ", count: 30)
    }
}
