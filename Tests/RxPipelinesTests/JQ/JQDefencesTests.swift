import RxPipelines
import Testing

/// What crashes or hangs libjq 1.6, and what is in its place.
@Suite(.timeLimit(.minutes(1)))
struct JQDefencesTests {
    @Test(arguments: [
        (#""a b" | gsub("\\s*"; "")"#, #""ab""#), (#""abc" | gsub(""; "x")"#, #""abc""#),
        (#""abc" | gsub("^"; "x")"#, #""abc""#), (#""é1é2" | match("\\d*"; "g").string"#, #""1" "2""#),
        (#""é" | match("(?<x>x)?"; "g")"#, ""), (#""aaa" | gsub("^a"; "x")"#, #""xaa""#),
    ])
    func globalMatchesPassOverEmptyOnes(text: String, outputs: String) throws {
        #expect(printed(try JQProgram(text, at: start).run(.null)) == outputs)
    }

    @Test(arguments: [
        ("1e300 | todate", "1e+300 seconds is no date"), ("nan | todate", "null seconds is no date"),
        (#"-1e300 | strftime("%Y")"#, "-1e+300 seconds is no date"),
        (#"infinite | strflocaltime("%Y")"#, "1.7976931348623157e+308 seconds is no date"),
    ])
    func noDateIsAnError(text: String, message: String) throws {
        #expect(throws: JQError(message)) { try JQProgram(text, at: start).run(.null) }
    }

    /// What the replaced definitions give is what the original ones give where those work.
    @Test(arguments: [
        (#""aXbX" | sub("(?<l>X)"; "\(.l)!"; "g")"#, #""aX!bX!""#), (#""abc" | sub("b"; "x")"#, #""axc""#),
        (#""aBc" | gsub("b"; "x"; "i")"#, #""axc""#), (#""abc" | sub("z"; "x")"#, #""abc""#),
        (#""éXé" | sub("X"; "é")"#, #""ééé""#), (#""abc" | test("B"; "i")"#, "true"),
        (#""a, b,c" | splits(", *")"#, #""a" "b" "c""#), (#""a, b,c" | split(", *"; null)"#, #"["a","b","c"]"#),
        (#""a,b" | split(",")"#, #"["a","b"]"#), (#""ab12cd3" | scan("\\d+")"#, #""12" "3""#),
        (#""ab12" | scan("([a-z])(\\d)")"#, #"["b","1"]"#),
        (#""x=1" | capture("(?<k>x)=(?<v>1)")"#, #"{"k":"x","v":"1"}"#),
        (#""x" | capture(["X", "i"])"#, "{}"), (#""aXbx" | match(["x", "gi"]).offset"#, "1 3"),
        (#"[match("a")?]"#, "[]"),
        ("0 | todate", #""1970-01-01T00:00:00Z""#), ("0 | gmtime | todate", #""1970-01-01T00:00:00Z""#),
        (#"0 | strftime("%Y")"#, #""1970""#), (#"86400 | strflocaltime("%Y")"#, #""1970""#),
    ])
    func keepsItsMeaning(text: String, outputs: String) throws {
        #expect(printed(try JQProgram(text, at: start).run(.null)) == outputs)
    }
}
