extension HostileExpression {
    /// Hostile texts for decoders.
    static let decoding: [HostileExpression] = [
        .init("@base64d", #""==""#, .gives(#""""#)),
        .init("@base64d", #""a""#, .fails(#"string ("a") trailing base64 byte found"#)),
        .init("@base64d", #""!!!!""#, .fails(#"string ("!!!!") is not valid base64 data"#)),
        .init("@base64d", #""gICA""#, .gives(#""���""#)),
        .init("@base64d", "1", .fails(#"string ("1") trailing base64 byte found"#)),
        .init("@uri", #""é 😀\u0000""#, .gives(#""%C3%A9%20%F0%9F%98%80%00""#)),
        .init("@csv", "[[1]]", .fails("array ([1]) is not valid in a csv row")),
        .init("@csv", "1", .fails("number (1) cannot be csv-formatted, only array")),
        .init("@tsv", #"["a\tb\\\n\r"]"#, .gives(#""a\\tb\\\\\\n\\r""#)),
        .init("@sh", #"["a'b; rm -rf /", 1]"#, .gives(#""'a'\\''b; rm -rf /' 1""#)),
        .init("@sh", "[[1]]", .fails("array ([1]) can not be escaped for shell")),
        .init("@html", #""<script>'\"&""#, .gives(#""&lt;script&gt;&apos;&quot;&amp;""#)),
        .init("@text", "[1]", .gives(#""[1]""#)),
        .init("@json", #"{"a":"\u0000"}"#, .gives(#""{\"a\":\"\\u0000\"}""#)),
        .init("@base32d", #""=a""#, .fails("base32d is not a valid format")),
        .init(
            "fromjson", #""[[[[[""#, .fails("Unfinished JSON term at EOF at line 1, column 5 (while parsing '[[[")),
        .init("fromjson", #""{\"a\":1,\"a\":2}""#, .gives(#"{"a":2}"#)),
        .init("fromjson", #""""#, .fails("Expected JSON value (while parsing '')")),
        .init("fromjson", #""nan""#, .gives("null")),
        .init("fromjson", #""[nan]""#, .gives("[null]")),
        .init(
            "fromjson", #""NaN10""#,
            .fails("Invalid numeric literal at EOF at line 1, column 5 (while parsing 'NaN10')")),
        .init(
            "fromjson", #""'a'""#, .fails("Invalid numeric literal at EOF at line 1, column 3 (while parsing ''a")),
        .init(
            "fromjson", #""\"\\ud800\"""#,
            .fails(#"Invalid \uXXXX\uXXXX surrogate pair escape at line 1, column 8 (while parsing '"\ud800"')"#)),
        .init("fromjson", #""1e999""#, .gives("1.7976931348623157e+308")),
        .init(
            "fromjson", .text("[", 100_000),
            .fails(
                "Exceeds depth limit for parsing at line 1, column 257 (while parsing '[[[[[[[[[[[[[[[[[[[[[[[[[[[")),
        .init(
            "fromjson", .text("[", 10_000),
            .fails(
                "Exceeds depth limit for parsing at line 1, column 257 (while parsing '[[[[[[[[[[[[[[[[[[[[[[[[[[[")),
        .init(
            "fromjson", .text(#"{"a":"#, 10_000),
            .fails(
                #"Exceeds depth limit for parsing at line 1, column 641 (while parsing '{"a":{"a":{"a":{"a":{"a":{"a":"#
            )),
        .init("ascii", "300", .refused("1:1: there is no function 'ascii'; did you mean 'ascii_upcase'")),
        .init(#"indices("")"#, #""abc""#, .gives("[]")),
        .init(#"indices("a") | length"#, .text("a", 100_000), .gives("100000")),
        .init(#"index("a")"#, "[1]", .gives("null")),
        .init("indices(1)", "null", .gives("null")),
        .init("indices([])", "[1]", .gives("[]")),
        .init("indices([1, 1]) | length", "[1,1,1,1]", .gives("3")),
        .init("tostream", "[[],{}]", .gives("[[0],[]] [[1],{}] [[1]]")),
        .init("fromstream(.[])", "[[[0],1],[[0]]]", .gives("[1]")),
        .init(
            "fromstream(.[])", "[[[1e9],1],[[1e9]]]",
            .fails("1000000000 is too large an index to set; the largest is 1000000")),
        .init("fromstream(.[])", "[1]", .fails("Cannot index number with number")),
        .init(
            "truncate_stream(1; .[])", "[[[0],1],[[0]]]",
            .refused("1:1: the function 'truncate_stream' takes 1 argument, not 2")),
        .init(
            "truncate_stream(1e9; .[])", "[[[0],1]]",
            .refused("1:1: the function 'truncate_stream' takes 1 argument, not 2")),
    ]
}
