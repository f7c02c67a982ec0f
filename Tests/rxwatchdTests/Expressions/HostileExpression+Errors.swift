extension HostileExpression {
    /// Texts that are not expressions.
    static let errors: [HostileExpression] = [
        .init("{(1): 2}", "1", .refused("1:2: cannot use number (1) as object key")),
        .init("{(.): 2}", "{}", .fails("Cannot use object ({}) as object key")),
        .init("{a: (1, 2), b: (3, 4)}", "1", .gives(#"{"a":1,"b":3} {"a":1,"b":4} {"a":2,"b":3} {"a":2,"b":4}"#)),
        .init(#"{"a\u0000": 1}"#, "1", .gives(#"{"a\u0000":1}"#)),
        .init(". as $x | reduce .[] as $y ($x; $y)", "1", .fails("Cannot iterate over number (1)")),
        .init("if . then 1", "1", .refused("1:1: this 'if' needs a 'then' and an 'end'")),
        .init("[", "1", .refused("1:2: the expression ends too early; a ']' is missing")),
        .init(#""\(""#, "1", .refused(#"1:5: the expression ends too early; a '"' is missing"#)),
        .init(#""\ud800""#, "1", .refused(#"1:1: invalid \uXXXX\uXXXX surrogate pair escape"#)),
        .init("'a'", "1", .refused("1:1: jq has no single quotes; write a text in double quotes")),
        .init(".[", "1", .refused("1:3: the expression ends too early; a ']' is missing")),
        .init("$undefined", "1", .refused("1:1: there is no variable $undefined here; there are none")),
        .init("undefined", "1", .refused("1:1: there is no function 'undefined'")),
        .init("break $x", "1", .refused("1:1: there is no label $x around this 'break $x'")),
        .init("reduce . as [$a]", "1", .refused("1:17: the expression ends too early")),
        .init("def f: ; f", "1", .refused("1:8: unexpected ';' in the jq expression")),
        .init(#"{"a": }"#, "1", .refused("1:7: a '}' is missing before this '}'")),
        .init("1 as x | x", "1", .refused("1:6: unexpected 'x' in the jq expression")),
        .init(".a.[", "1", .refused("1:4: unexpected '[' in the jq expression")),
        .init("?//", "1", .refused("1:1: unexpected '?//' in the jq expression")),
        .init("..a", "1", .refused("1:1: unexpected '..a' in the jq expression")),
    ]
}
