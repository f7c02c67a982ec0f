/// The jq definitions that replace builtins which would harm a daemon in libjq 1.6.
///
/// A definition precedes an expression only if the expression names the builtin, so that other expressions do not pay
/// for compiling it. An operator can be replaced if jq compiles it to a call by name: `=` to `_assign`, `|=`, `+=` and
/// the like to `_modify`, `%` to `_mod`. An operation with an instruction of its own cannot be replaced, and still ends
/// the process:
///
/// - `.[a:]` if `a` is "not a number", which only arithmetic makes (`nan`, `infinite - infinite`), never parsing.
/// - A value nested some ten thousand levels deep, which jq frees by recursion: `reduce range(1e6) as $i (0; [.])`.
///
/// `JQPlacement` moves such expressions to another process. If there is no other process, `JQEvaluationWatch` still stops an
/// expression that runs without end or allocates in small steps, such as `last(repeat(.))` or `[range(1e9)]`.
enum JQPrelude {
    static func definitions(for text: String) -> String {
        groups.filter { group in group.words.contains { text.contains($0) } }.map(\.definitions).joined()
    }

    private static let groups: [(words: [String], definitions: String)] = [
        // The builtin prints to standard error without asking a callback.
        (["stderr"], "def stderr: .;"),
        (["halt"], halts),
        (["debug"], "def debug: .;"),
        (["match", "capture", "scan", "split", "sub"], regularExpressions),
        (["strftime", "strflocaltime", "todate"], times),
        (["=", "setpath", "getpath", "del", "fromstream"], paths),
        (["indices", "index"], searches),
        // The processor faults when it divides the smallest integer by -1, to which jq also converts "not a number".
        (["%"], remainder),
        (["tonumber", "fromjson"], numbers),
        // A string times a number repeats the string, in one instruction, which the watch cannot interrupt.
        (["*"], product),
        // The builtin would fail with the message "break", which explains nothing.
        (["input"], inputs),
    ]

    /// `jq_halt` must not be called twice. The builtin `input` calls `JQRunControl.preventStop`, so that the watch does not
    /// call it after the program has.
    private static let halts = oneLine(
        """
        def _alone: . as $value | (try input catch null) | $value;
        def _halt: halt;
        def halt: _alone | _halt;
        def _halt_error($code): halt_error($code);
        def halt_error($code): if ($code | type) == "number" then _alone | _halt_error($code)
          else error("halt_error/1: number required") end;
        def halt_error: halt_error(5);
        """)

    /// A global match of an empty string advances into the middle of a UTF-8 character and crashes, and `gsub` with an
    /// empty match never ends. The flag `n` makes global matches skip empty ones.
    private static let regularExpressions = oneLine(
        """
        def match($re; $flags): _match_impl($re;
          if ($flags | type) == "string" and ($flags | contains("g")) then $flags + "n" else $flags end; false) | .[];
        def match($re): if ($re | type) == "array" then match($re[0]; $re[1]) else match($re; null) end;
        def _named: reduce (.captures[] | select(.name != null)) as $c ({}; .[$c.name] = $c.string);
        def capture($re; $flags): match($re; $flags) | _named;
        def capture($re): match($re) | _named;
        def scan($re): match($re; "g") | if .captures == [] then .string else [.captures[].string] end;
        def splits($re; $flags): . as $in | foreach (match($re; "g" + $flags), null) as $m ({end: 0};
          if $m == null then {text: $in[.end:]}
          else {text: $in[.end:$m.offset], end: ($m.offset + $m.length)} end; .text);
        def splits($re): splits($re; null);
        def split($re; $flags): [splits($re; $flags)];
        def sub($re; text; $flags): . as $in | reduce match($re; $flags) as $m ({text: "", end: 0};
          ($m | _named | text) as $new
          | {text: (.text + $in[.end:$m.offset] + $new), end: ($m.offset + $m.length)}) | .text + $in[.end:];
        def sub($re; text): sub($re; text; "");
        def gsub($re; text; $flags): sub($re; text; $flags + "g");
        def gsub($re; text): sub($re; text; "g");
        """)

    /// Builtins for dates that check their arguments before they call those of jq.
    ///
    /// jq's own fail an assertion if a number is NaN or too large for a date, or if a format is not a string.
    private static let times = oneLine(
        """
        def _date: if type == "number" and ((. > -6e16 and . < 6e16) | not)
          then error("\\(.) seconds is not a date") else . end;
        def _format($format; $name): if ($format | type) == "string" then .
          else error("\\($name)/1 requires a string format") end;
        def _strftime($format): strftime($format);
        def strftime($format): _date | _format($format; "strftime") | _strftime($format);
        def _strflocaltime($format): strflocaltime($format);
        def strflocaltime($format): _date | _format($format; "strflocaltime") | _strflocaltime($format);
        def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
        def todate: todateiso8601;
        """)

    /// Setting an index far beyond an array's end allocates more memory than there is. An index that is not a number
    /// makes `delpaths` loop for ever and a slice fail an assertion. Each replacement checks its paths, and then calls
    /// the builtin.
    private static let paths = oneLine(
        """
        def _index($largest): if type == "number" then
            if isnan then error("an index is not a number")
            elif . > $largest then error("\\(.) is too large an index to set; the largest is \\($largest)") else . end
          elif type == "object" then (.start, .end | numbers | _index(infinite)) as $bound | . else . end;
        def _path($largest): if type == "array" then reduce .[] as $key (.; ($key | _index($largest)) as $ok | .)
          else . end;
        def _sound(paths; $largest): reduce path(paths) as $path (.; ($path | _path($largest)) as $ok | .);
        def _setpath($path; $value): setpath($path; $value);
        def setpath(path; value): value as $value | (path | _path(1000000)) as $path | _setpath($path; $value);
        def _getpath($path): getpath($path);
        def getpath(path): (path | _path(infinite)) as $path | _getpath($path);
        def _delpaths($paths): delpaths($paths);
        def delpaths(paths): paths as $paths | (if ($paths | type) == "array" then
          reduce $paths[] as $path (.; ($path | _path(infinite)) as $ok | .) else . end) | _delpaths($paths);
        def _del(paths): del(paths);
        def del(paths): _sound(paths; infinite) | _del(paths);
        def _assignment(paths; value): _assign(paths; value);
        def _assign(paths; value): _sound(paths; 1000000) | _assignment(paths; value);
        def _modification(paths; update): _modify(paths; update);
        def _modify(paths; update): _sound(paths; 1000000) | _modification(paths; update);
        def _fromstream(items): fromstream(items);
        def fromstream(items): _fromstream(items | (.[0] | _path(1000000)) as $ok | .);
        """)

    /// A search for an empty string never ends.
    private static let searches = oneLine(
        """
        def _seeksNothing($i): type == "string" and $i == "";
        def _occurrences($i): _strindices($i);
        def _strindices($i): if _seeksNothing($i) then [] else _occurrences($i) end;
        def _indices($i): indices($i);
        def indices($i): if _seeksNothing($i) then [] else _indices($i) end;
        def _first($i): index($i);
        def index($i): if _seeksNothing($i) then null else _first($i) end;
        def _last($i): rindex($i);
        def rindex($i): if _seeksNothing($i) then null else _last($i) end;
        """)

    private static let remainder = oneLine(
        """
        def _remainder($a; $b): $a % $b;
        def _mod(a; b): b as $b | a as $a
          | if ($b | type) == "number" and $b <= -1 and $b > -2 and ($a | type) == "number" then 0
            else _remainder($a; $b) end;
        """)

    /// Limits the size of a repeated string, and the number of repetitions of an empty one.
    private static let product = oneLine(
        """
        def _repeated($text; $count): if ([($text | length), 1] | max) * $count > 1000000
          then error("a text of \\($text | length) characters is too long to be repeated \\($count) times") else . end;
        def _product($a; $b): $a * $b;
        def _multiply(a; b): b as $b | a as $a
          | if ($a | type) == "string" and ($b | type) == "number" then _repeated($a; $b)
            elif ($b | type) == "string" and ($a | type) == "number" then _repeated($b; $a) else . end
          | _product($a; $b);
        """)

    /// jq parses the word `nan` as a number, which JSON does not have.
    private static let numbers = oneLine(
        """
        def _tonumber: tonumber;
        def tonumber: . as $text | _tonumber | if isnan then error("'\\($text)' is not a number") else . end;
        def _fromjson: fromjson;
        def fromjson: contains("nan") as $odd | _fromjson | if $odd then tojson | _fromjson else . end;
        """)

    private static let inputs = oneLine(
        """
        def input: error("'input' is not available: the event is '.'");
        def _input: input;
        def inputs: empty;
        """)

    /// Joins the lines, so that the prelude does not change the line numbers of the expression after it.
    private static func oneLine(_ text: String) -> String {
        String(text.map { $0 == "\n" ? " " : $0 })
    }
}
