import ConfigTestSupport
import RxDiagnostics
import Testing

@testable import RxJQ

/// Expressions in the words of other languages: the message says what jq has instead.
struct JQForeignSyntaxTests {
    @Test(arguments: [
        (".a && .b", "1:4: jq has no '&&'; write 'and'"), (".a || .b", "1:5: jq has no '||'; write 'or'"),
        ("!.a", "1:1: jq has no '!'; write '| not' after the value"), (".a === 1", "1:4: jq has no '==='; write '=='"),
        (".a !== 1", "1:4: jq has no '!=='; write '!='"),
        (".a =~ .b", "1:4: jq has no '=~'; write test(\"…\") after the value"),
        (".a <> 1", "1:4: jq has no '<>'; write '!='"),
        ("$.ok", "1:1: jq has no '$' for the value; write '.ok'"),
        (".a and $.b.c", "1:8: jq has no '$' for the value; write '.b.c'"),
        ("length()", "1:8: a function without arguments has no parentheses in jq"),
        (".path.endswith(\"x\")", "1:15: jq has no methods; write '| endswith(…)' after the value"),
        (".a | upper", "1:6: there is no function 'upper'; did you mean 'ascii_upcase'?"),
        (".a | toint", "1:6: there is no function 'toint'; did you mean 'tonumber'?"),
        ("None", "1:1: there is no function 'None'; did you mean 'null'?"),
    ])
    func messageNamesJQsOwn(text: String, expected: String) {
        let batch = JQBatch(JQLibrary())
        let found = complaints { () throws(Diagnostics) in
            _ = try JQProgram(LocatedText(text, at: SourceLocation(file: "t.yaml", line: 1, column: 1)), in: batch)
            let errors = batch.compile()
            if !errors.list.isEmpty { throw errors }
        }
        #expect(found.first == expected)
    }
}
