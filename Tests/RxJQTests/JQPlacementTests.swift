import Testing

@testable import RxJQ

/// Which expressions are evaluated in this process, and up to which size of input.
struct JQPlacementTests {
    @Test(arguments: [
        ".", ".ok | not", ". >= 3", "{beat: .tick, at: .time}", ".body.items[0].name", ".a[1:3], .b[-2:], .c[:5]",
        "select(.a == \"range\")", ".range, .reduce, $def", "{range: 1, until: .x}", "[.[] | {limit: .b}] | length",
        "if .a then 1 elif .b < 2 then 2 else 3 end", "\"a \\(.b) c\"", "1 # range(5)",
        "any(.[]; . != 1) and all(.a)", "map(.x) | first", ".[\"a b\"][0]", "[.a, .b]", ".a | [.[] | .b]",
        ".a[] as $i | map(. == $i)", ". as $x | [.[] | .[] | $x.b]",
    ])
    func linearExpressionsRunInProcess(text: String) {
        #expect(JQPlacement(of: text) == .inProcess)
    }

    @Test(arguments: [
        "sort", "unique_by(.a)", "tojson", "fromjson", ".a * 2", ".a - 1", "@base64", ".a = 1", ".a |= .b", "paths",
        "..", "group_by(.a)", "test(\"x\")", "test(\"^a+$\"; \"i\")", "split(\", \")", "contains(\"a\")",
        "\"\\(.a | tojson)\"", ".a / 2", ".items[.index]", "nth(3)", "$e.values[.selected].name", ".a[$b]",
        "with_entries(.value)", "something_unknown", ".percent * 100 | round", ".a * 100 / .b | tostring",
        ".s * 3", ".a * 100 - .b", "60 * 60 * .h - 1", "test(\"(?:a|b)(?<n>c)(?i)d(?=e)(?!f)\")", ".a[.n] = 1",
        "[.a[], .b[]] | join(\",\")", "[.[] | .[] | tostring]",
        "gsub(\"a\"; \"b\")",
        "\"\\(.a | @uri)/\\(.b | @uri)/\\(.c | @uri)/\\(.d | @uri)\"",
    ])
    func otherWorkStaysIfItsInputIsSmall(text: String) {
        #expect(JQPlacement(of: text) == .inProcessIfSmall)
    }

    @Test(arguments: [
        "range(5)", "[range(.n)]", "reduce .[] as $x (0; . + $x)", "foreach .[] as $x (0; .)", "def f: f; f",
        "until(.; .)",
        "last(repeat(.))", "recurse(.a)", "while(true; .)", ".[nan:]", ".[.a:]", ".[:.a]", ".[ .a : 3 ]", ".[(1):]",
        ".s[(\"\\(.a)\" | length):]", ".s | .[{start: .a, end: null}]", "test(\"^\" + .p)", "test(\"a\"; .f)",
        "test(\"a\" // .p)", "test(\"(a|a)\\u002b[bd]$\")", "test(\"(a+) +$\"; \"x\")", "test(\"a?a?a?a?\")",
        "setpath([\"a\"]; 1)", "test($re)", "test(.a)", "match([\"x\", \"g\"])", "test(\"(a+)+$\")",
        "test(\"\\(.re)\")",
        "test(\"(a)\\\\1\")", "test(\"(?<k>a)\\\\k<k>\")", "scan(\"a*b*c*d*\")", "\"\\(range(5))\"", "[implode]",
        "test(\"a{1,99}{1,3}b\")", "test(\"a**\")", "test(\"(?<x>a\\\\g<x>|b)\")", "test(\"(?(1)a|b)\")",
        "test(\"(?x) a\")", "test(\"(?>a)\")", "test(\"(?ix:a)\")",
        "(.s * .n | explode) - .l", "(.a[.n] = 1) as $x | .b[$x]", ".a * .b - .c", ".a1 * .b | contains(.c)",
        ".a * .n | test(\"x\")", "[scan(\"a\")] | join(.s)", "join(.a) | join(.b)", ".s * 60 as $t | join($t)",
        ". as $x | [.[] | .[] | $x] | tojson", ".a[] as $i | map($i) | sort", "map(map(.)) as $x | @text",
        "sub(\"(a|b)*c\"; \"x\")", "(a){2,}|test(\"(ab){2,}\")", "$__loc__ | range(1)",
    ])
    func unboundedWorkIsDoneElsewhere(text: String) {
        #expect(JQPlacement(of: text) == .evaluator)
    }

    @Test(arguments: [
        ("test(\"a*b*\")", 1 << 10), ("test(\"a*b*c{1,}\")", 256), ("test(\"a*b*\") and test(\"a*\")", 1 << 10),
        ("test(\"\\\\d+ \\\\S+\")", 1 << 10), ("tojson | test(\"a\")", (16 << 10) / 6), ("test(\"a+?b\")", 1 << 10),
        (".a * 2 | test(\"x\")", 8 << 10),
        ("gsub(\"a\"; \"0123456789\")", 16 << 10),
        ("gsub(\"a\"; \"0123456789\") | gsub(\"b\"; \"01234567\")", (16 << 10) / 10),
    ])
    func repetitionsSideBySideLowerTheInput(text: String, size: Int) {
        #expect(JQPlacement(of: text).largestInput == size)
    }

    private static func thirty(_ stage: String, joined separator: String = " | ") -> String {
        Array(repeating: stage, count: 30).joined(separator: separator)
    }

    private static let members = (0..<40).map { "k\($0): (.a | length)" }
    private static let growing: [(String, JQPlacement)] = [
        ("[.,.]|[.,.]|[.,.]|[.,.]", .inProcess), ("[.,.]|[.,.]|[.,.]|[.,.]|[.,.]", .inProcessIfSmall),
        (thirty("[.,.]"), .evaluator), (thirty("{a:., b:.}"), .evaluator), (thirty("(.+.)"), .evaluator),
        (thirty("\"\\(.)\\(.)\""), .evaluator), (thirty("tojson"), .evaluator), (thirty("@json"), .evaluator),
        (Array(repeating: "gsub(\"a\"; \"aaaaaaaaaa\")", count: 5).joined(separator: " | "), .evaluator),
        (thirty("[.,.] as $x | $x"), .evaluator),
        (thirty("any([.,.]; ", joined: "") + "." + String(repeating: ")", count: 30), .evaluator),
        (thirty("try error([.,.]) catch ", joined: "") + ".", .evaluator), ("walk([.,.])", .evaluator),
        // Side by side, no part takes what another has built.
        ("[(.a | [.,.]), (.b | [.,.]), (.c | [.,.]), (.d | [.,.])]", .inProcess),
        ("{\(members.joined(separator: ", "))}", .inProcessIfSmall),
    ]

    /// Each stage doubles what it is given, and shares it: no memory is taken until something makes text of it.
    @Test(arguments: growing)
    func stagesThatGrowMultiply(text: String, placement: JQPlacement) {
        #expect(JQPlacement(of: text) == placement)
    }
}
