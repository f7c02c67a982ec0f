extension HostileExpression {
    /// Values that are too deep, or too large.
    static let depth: [HostileExpression] = [
        .init("reduce range(257) as $i (0; [.])", "1", .fails("a value is nested deeper than 256 levels")),
        .init("reduce range(10000) as $i (0; [.])", "1", .fails("a value is nested deeper than 256 levels")),
        .init("reduce range(300000) as $i (0; [.])", "1", .fails("its values are nested too deep for jq")),
        .init("reduce range(300000) as $i (0; {a: .}) | 1", "1", .exceedsLimit),
        .init(#"reduce range(40) as $i ("x"; . + .)"#, "1", .exceedsLimit),
        .init("reduce range(40) as $i ([1]; . + .)", "1", .exceedsLimit),
        .init(
            "[limit(2; repeat(reduce range(30) as $i (0; [., .])))] | .[0] == .[1]", "1",
            .fails("stopped after 2s: it did not return")),
        .init("[range(1e6)] | map([.]) | length", "1", .gives("1000000")),
        .init("[range(3e6)] | sort | length", "1", .exceedsLimit),
        .init("[combinations] | length", "[[1,2],[3,4]]", .gives("4")),
        .init("[range(20) | [0, 1]] | [combinations] | length", "1", .fails("stopped after 2s: it did not return")),
        .init("[[range(1000)], [range(1000)]] | transpose | length", "1", .gives("1000")),
    ]
}
