import ConfigTestSupport
import RxJQ
import Testing

/// Expressions that crash or hang libjq 1.6, and their replacements.
@Suite(.timeLimit(.minutes(1)))
struct JQDefencesTests {
    static let unchanged: [(String, String)] = [
        (#""aXbX" | sub("(?<l>X)"; "\(.l)!"; "g")"#, #""aX!bX!""#), (#""abc" | sub("b"; "x")"#, #""axc""#),
        (#""aBc" | gsub("b"; "x"; "i")"#, #""axc""#), (#""abc" | sub("z"; "x")"#, #""abc""#),
        (#""éXé" | sub("X"; "é")"#, #""ééé""#), (#""abc" | test("B"; "i")"#, "true"),
        (#""a, b,c" | splits(", *")"#, #""a" "b" "c""#), (#""a, b,c" | split(", *"; null)"#, #"["a","b","c"]"#),
        (#""a,b" | split(",")"#, #"["a","b"]"#), (#""ab12cd3" | scan("\\d+")"#, #""12" "3""#),
        (#""ab12" | scan("([a-z])(\\d)")"#, #"["b","1"]"#),
        (#""x=1" | capture("(?<k>x)=(?<v>1)")"#, #"{"k":"x","v":"1"}"#),
        (#""x" | capture(["X", "i"])"#, "{}"), (#""aXbx" | match(["x", "gi"]).offset"#, "1 3"),
        (#"[match("a")?]"#, "[]"),
        ("[1, 2] | .[0] = 5, .[-1] = 5, .[3] = 5", "[5,2] [1,5] [1,2,null,5]"),
        ("[1, 2] | .[0] |= . + 1, .[1] += 2, .[5] //= 1", "[2,2] [1,4] [1,2,null,null,null,1]"),
        ("[1, 2] | (.[0], .[1]) = (7, 8)", "[7,7] [8,8]"), ("[1, 2, 3] | .[0] |= empty", "[2,3]"),
        ("[1, 2, 3] | .[1:] = [9]", "[1,9]"), ("{a: {b: 1}} | .a.b *= 3", #"{"a":{"b":3}}"#),
        ("try ([] | .[-1] = 1) catch .", #""Out of bounds negative array index""#),
        ("[] | .[1000000] = 1 | length", "1000001"), ("{} | .a = 1 | .b = 2", #"{"a":1,"b":2}"#),
        ("[1, 2, 3] | del(.[0, 2]), del(.[1:]), delpaths([[0]])", "[2] [1] [2,3]"),
        ("{a: 1, b: 2} | del(.a, .c)", #"{"b":2}"#), ("[path(getpath([0, 1]))]", "[[0,1]]"),
        ("[[1]] | getpath([0, 0], [3]), (getpath([0, 0]) = 4)", "1 null [[4]]"),
        ("[1, [2]] | fromstream(tostream)", "[1,[2]]"), ("[1, 2] | map_values(. + 1)", "[2,3]"),
        (
            "try setpath(1; 1) catch ., try getpath(1) catch .",
            #""Path must be specified as an array" "Path must be specified as an array""#
        ),
        ("try delpaths(1) catch .", #""Paths must be specified as an array""#),
        (#""12", " 3 ", 4 | tonumber"#, "12 3 4"), (#"try ("x" | tonumber) catch "no""#, #""no""#),
        (#""{\"finance\": [1, {}]}" | fromjson"#, #"{"finance":[1,{}]}"#),
        (#""1 2" | try fromjson catch "no""#, #""no""#),
        ("0 | todate", #""1970-01-01T00:00:00Z""#), ("0 | gmtime | todate", #""1970-01-01T00:00:00Z""#),
        (#"0 | strftime("%Y")"#, #""1970""#), (#"86400 | strflocaltime("%Y")"#, #""1970""#),
    ]

    @Test(arguments: [
        (#""a b" | gsub("\\s*"; "")"#, #""ab""#), (#""abc" | gsub(""; "x")"#, #""abc""#),
        (#""abc" | gsub("^"; "x")"#, #""abc""#), (#""é1é2" | match("\\d*"; "g").string"#, #""1" "2""#),
        (#""é" | match("(?<x>x)?"; "g")"#, ""), (#""aaa" | gsub("^a"; "x")"#, #""xaa""#),
    ])
    func globalMatchesSkipEmptyMatches(text: String, outputs: String) throws {
        #expect(printed(try JQProgram(text, at: start).run(.null)) == outputs)
    }

    @Test(arguments: [
        ("1e300 | todate", "1e+300 seconds is not a date"), ("nan | todate", "null seconds is not a date"),
        (#"-1e300 | strftime("%Y")"#, "-1e+300 seconds is not a date"),
        (#"infinite | strflocaltime("%Y")"#, "1.7976931348623157e+308 seconds is not a date"),
    ])
    func invalidDateIsError(text: String, message: String) throws {
        #expect(throws: JQError(message)) { try JQProgram(text, at: start).run(.null) }
    }

    @Test(arguments: [
        ("0 | strftime(.)", "strftime/1 requires a string format"),
        ("0 | gmtime | strftime(null)", "strftime/1 requires a string format"),
        ("0 | strflocaltime({})", "strflocaltime/1 requires a string format"),
        ("0 | localtime | strflocaltime(.)", "strflocaltime/1 requires a string format"),
    ])
    func dateFormatMustBeText(text: String, message: String) throws {
        #expect(throws: JQError(message)) { try JQProgram(text, at: start).run(.null) }
    }

    /// A number that cannot be an array index, or only with more memory than there is.
    @Test(arguments: [
        ("[] | .[1000000000] = 0", "1000000000 is too large an index to set; the largest is 1000000"),
        ("[] | .[2147483647] = 1", "2147483647 is too large an index to set; the largest is 1000000"),
        ("null | .[infinite] = 1", "1.7976931348623157e+308 is too large an index to set; the largest is 1000000"),
        ("{} | .a[1000001] |= 1", "1000001 is too large an index to set; the largest is 1000000"),
        ("{} | .a[1e9] += 1", "1000000000 is too large an index to set; the largest is 1000000"),
        ("{} | .a[1e9] //= 1", "1000000000 is too large an index to set; the largest is 1000000"),
        ("{} | .a[1e9]? = 1", "1000000000 is too large an index to set; the largest is 1000000"),
        (#"{} | setpath(["a", 1e9]; 1)"#, "1000000000 is too large an index to set; the largest is 1000000"),
        ("fromstream([[1e9], 1], [[1e9]])", "1000000000 is too large an index to set; the largest is 1000000"),
        ("[] | .[nan] = 1", "an index is not a number"), ("[1, 2] | del(.[nan])", "an index is not a number"),
        ("[1, 2] | .[nan] |= 1", "an index is not a number"), ("[1, 2] | del(.[0, nan])", "an index is not a number"),
        ("[[1, 2]] | delpaths([[0, nan]])", "an index is not a number"),
        ("null | .[nan:] = [1]", "an index is not a number"), ("null | .[:nan] = [1]", "an index is not a number"),
        ("[1, 2] | getpath([{start: nan, end: null}])", "an index is not a number"),
        ("[1, 2] | delpaths([[{start: nan, end: null}]])", "an index is not a number"),
        (#""nan" | tonumber"#, "'nan' is not a number"), (#"" -nan" | tonumber"#, "' -nan' is not a number"),
    ])
    func excessiveIndexIsError(text: String, message: String) throws {
        #expect(throws: JQError(message)) { try JQProgram(text, at: start).run(.null) }
    }

    @Test(arguments: [
        (#""abc" | index(""), rindex(""), indices("")"#, "null null []"),
        (#""" | index(""), rindex(""), indices(""), _strindices("")"#, "null null [] []"),
        (#""a,b, cd" | indices(", "), index(","), rindex(",")"#, "[3] 1 3"),
        ("[1, 2, 1] | index(1), rindex(1), indices(1), indices([1, 2]), indices([])", "0 2 [0,2] [0] []"),
        (#"null | indices("a"), index(""), indices(1)"#, "null null null"),
        (#"try ("x" | indices(1)) catch ."#, #""Cannot index string with number""#),
        ("nan % -1, (-9223372036854775808 + .) % (0 - 1.5)", "0 0"),
        ("[(11, 12) % (5, 7)], 7 % -2, -7 % 2, 5 % 1e19", "[1,2,4,5] 1 -1 5"),
        (#"try (5 % 0) catch "zero", try ("a" % -1) catch "text""#, #""zero" "text""#),
        (#""[nan, 1]" | fromjson"#, "[null,1]"), (#""[nan]" | fromjson | .[0] | isnan"#, "false"),
    ])
    func searchesAndRemaindersEnd(text: String, outputs: String) throws {
        #expect(printed(try JQProgram(text, at: start).run(0)) == outputs)
    }

    /// The replaced definitions give the same outputs as the original ones where those work.
    @Test(arguments: Self.unchanged)
    func replacedDefinitionsKeepTheirMeaning(text: String, outputs: String) throws {
        #expect(printed(try JQProgram(text, at: start).run(.null)) == outputs)
    }
}
