extension HostileExpression {
    /// Growing texts, and values that are not texts.
    static let texts: [HostileExpression] = [
        .init(
            ". * 1000000000", #""abc""#,
            .fails("a text of 3 characters is too long to be repeated 1000000000 times")),
        .init(". * 1e300", #""abc""#, .fails("a text of 3 characters is too long to be repeated 1e+300 times")),
        .init(". * nan", #""abc""#, .gives("null")),
        .init(
            ".a * .n", #"{"a":"","n":2000000000}"#,
            .fails("a text of 0 characters is too long to be repeated 2000000000 times")),
        .init(
            ".n * .a", #"{"a":"","n":1e300}"#, .fails("a text of 0 characters is too long to be repeated 1e+300 times")),
        .init(
            #"(.s * .n | explode) - (("b" * .n) | explode) | length"#, #"{"s":"a","n":300000}"#,
            .fails("stopped after 2s: it did not return")),
        .init(#"test("a{1,99}{1,3}b")"#, .text("a", 1_000), .fails("stopped after 2s: it did not return")),
        .init(#".a * .n | [scan("[a-z]")] | length"#, #"{"a":"x","n":1000}"#, .gives("1000")),
        .init(
            #".a * .n | [scan("[a-z]")]"#, #"{"a":"x","n":1000000}"#,
            .fails("stopped after 2s: it did not return")),
        .init(
            Array(repeating: #"gsub("a"; "aaaaaaaaaa")"#, count: 6).joined(separator: " | "), #""a""#,
            .fails("stopped after 2s: it did not return")),
        .init(
            #". as $x | (.[0:400] / "") as $a | [$a[] | $a[] | $x] | tojson"#, .text("x", 10_000),
            .exceedsLimit),
        .init(
            ". * infinite", #""abc""#,
            .fails("a text of 3 characters is too long to be repeated 1.7976931348623157e+308 times")),
        .init(". * -1", #""abc""#, .gives("null")),
        .init(". * 0.5", #""abc""#, .gives(#""abc""#)),
        .init(
            ". * 1000 | length", .text("a", 100_000),
            .fails("a text of 100000 characters is too long to be repeated 1000 times")),
        .init(#". / """#, #""abc""#, .gives(#"["a","b","c"]"#)),
        .init(#". / ",""#, #""""#, .gives("[]")),
        .init(". / 0", #""abc""#, .fails(#"string ("abc") and number (0) cannot be divided"#)),
        .init(#"split("")"#, #""aé😀""#, .gives(#"["a","é","😀"]"#)),
        .init(#"split("") | length"#, .text("a", 50_000), .gives("50000")),
        .init(#"join(",")"#, #"[1,null,"a",[1]]"#, .fails(#"string ("1,,a,") and array ([1]) cannot be added"#)),
        .init(#"join(",")"#, "[[1]]", .fails(#"string ("") and array ([1]) cannot be added"#)),
        .init("join({})", #"["a","b"]"#, .fails(#"string ("a") and object ({}) cannot be added"#)),
        .init("ltrimstr(1)", #""a""#, .gives(#""a""#)),
        .init("startswith(1)", #""a""#, .fails("startswith() requires string inputs")),
        .init(#"startswith("a")"#, "1", .fails("startswith() requires string inputs")),
        .init(#"contains("a")"#, "1", .fails(#"number (1) and string ("a") cannot have their containment checked"#)),
        .init(
            "contains({a: 1})", "[1]",
            .fails(#"array ([1]) and object ({"a":1}) cannot have their containment checked"#)),
        .init(#"inside("abc")"#, #""b""#, .gives("true")),
        .init("ascii_downcase", "1", .fails("explode input must be a string")),
        .init("explode", #""aé😀""#, .gives("[97,233,128512]")),
        .init("implode", "[1114112]", .gives(#""�""#)),
        .init("implode", "[-1]", .gives(#""�""#)),
        .init("implode", "[55296]", .gives(#""�""#)),
        .init("implode", "[nan]", .fails("null (null) can't be imploded, unicode codepoint needs to be numeric")),
        .init("implode", "[1e300]", .gives(#""�""#)),
        .init("implode", #"["a"]"#, .fails(#"string ("a") can't be imploded, unicode codepoint needs to be numeric"#)),
        .init("implode", "[[1]]", .fails("array ([1]) can't be imploded, unicode codepoint needs to be numeric")),
        .init("implode", "5", .fails("implode input must be an array")),
        .init("implode", #""abc""#, .fails("implode input must be an array")),
        .init("utf8bytelength", "1", .fails("number (1) only strings have UTF-8 byte length")),
        .init("utf8bytelength", #""é😀""#, .gives("6")),
    ]
}
