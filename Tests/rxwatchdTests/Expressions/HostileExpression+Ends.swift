extension HostileExpression {
    /// Errors, and expressions that reach outside.
    static let ends: [HostileExpression] = [
        .init("error", "null", .gives("")),
        .init("error", #"{"a":1}"#, .fails(#"{"a":1}"#)),
        .init("error(nan)", "1", .fails("null")),
        .init(
            #"error({"text": "a" * 1000} | .text) | 1"#, "1", .refused("1:20: unexpected '*' in the jq expression")
        ),
        .init(#"try error("\u0000") catch ."#, "1", .gives(#""\u0000""#)),
        .init("try error catch .", "[1]", .gives("[1]")),
        .init(".a as $x | error($x)", #"{"a":null}"#, .gives("")),
        .init("halt", "1", .gives("")),
        .init("halt_error", #""x""#, .fails("x")),
        .init("halt_error(1e300)", #"{"a":1}"#, .fails(#"{"a":1}"#)),
        .init(#"halt_error("a")"#, "1", .fails("halt_error/1: number required")),
        .init("1, halt, 2", "1", .gives("1")),
        .init("debug", "1", .gives("1")),
        .init("stderr", "1", .gives("1")),
        .init("input_filename", "1", .gives("null")),
        .init("$__prog_args", "1", .refused("1:1: there is no variable $__prog_args here; there are none")),
        .init("$__loc__", "1", .gives(#"{"file":"<top-level>","line":1}"#)),
        .init("get_search_list", "1", .gives("")),
        .init("modulemeta", #""a""#, .fails("Module search path must be an array")),
        .init("input_line_number | 1", "1", .fails("Unknown input line number")),
        .init("ltrimstr", "1", .refused("1:1: the function 'ltrimstr' takes 1 argument, not 0")),
        .init("@base65", "1", .fails("base65 is not a valid format")),
        .init(#"import "/etc/passwd" as $x; $x"#, "1", .refused("1:1: unexpected 'import' in the jq expression")),
        .init(#"include "a"; ."#, "1", .refused("1:1: unexpected 'include' in the jq expression")),
    ]
}
