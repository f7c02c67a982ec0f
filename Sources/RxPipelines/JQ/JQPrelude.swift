/// Definitions put before an expression, in place of builtins that harm a daemon in libjq 1.6.
///
/// Each is there only when the expression names what it replaces, so that others do not pay for compiling it. Operators
/// can be replaced where jq compiles them to a call by name: `=` to `_assign`, `|=` and its kin to `_modify`, `%` to
/// `_mod`. What is an instruction of its own is out of reach, and still ends the process:
///
/// - `.[a:]` where `a` is not a number by arithmetic (`nan`, `infinite - infinite`). No text and no JSON reads as one.
/// - A value nested some ten thousands deep, which jq frees by recursion: `reduce range(1e6) as $i (0; [.])`.
/// - More memory than there is, as by `[range(1e9)]` or `"x" * 1e9`, and time without an end, as by `last(repeat(.))`:
///   the unit's `MemoryMax=` and `WatchdogSec=` are the bounds.
enum JQPrelude {
    static func definitions(for text: String) -> String {
        groups.filter { group in group.words.contains { text.contains($0) } }.map(\.definitions).joined()
    }

    private static let groups: [(words: [String], definitions: String)] = [
        // Prints on standard error by itself.
        (["stderr"], "def stderr: .;"),
        (["match", "capture", "scan", "split", "sub"], regularExpressions),
        (["strftime", "strflocaltime", "todate"], times),
        (["=", "setpath", "getpath", "del", "fromstream"], paths),
        (["indices", "index"], searches),
        // The least whole number by -1 is too much for the processor, and what is no number counts as the least.
        (["%"], remainder),
        (["tonumber", "fromjson"], numbers),
        // All it would say by itself is "break".
        (["input"], #"def input: error("'input' has nothing to read: the one value there is, is '.'");"#),
    ]

    /// A global match that finds an empty text steps into the middle of a UTF-8 character and crashes, and `gsub` of
    /// an empty match never ends. The flag `n` makes global matches pass over empty ones.
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

    /// A number that is no date (too large, or not a number) fails an assertion.
    private static let times = oneLine(
        """
        def _date: if type == "number" and ((. > -6e16 and . < 6e16) | not)
          then error("\\(.) seconds is no date") else . end;
        def _strftime($format): strftime($format);
        def strftime($format): _date | _strftime($format);
        def _strflocaltime($format): strflocaltime($format);
        def strflocaltime($format): _date | _strflocaltime($format);
        def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
        def todate: todateiso8601;
        """)

    /// An index far beyond an array's end takes more memory than there is, and one that is not a number makes `delpaths`
    /// never end and a slice fail an assertion. Callers of `setpath` and `delpaths` are repeated as jq 1.6 has them, so
    /// that they call these.
    private static let paths = oneLine(
        """
        def _index($largest): if type == "number" then
            if isnan then error("an index is not a number")
            elif . > $largest then error("\\(.) is too large an index to set; the largest is \\($largest)") else . end
          elif type == "object" then (.start, .end | numbers | _index(infinite)) as $bound | . else . end;
        def _path($largest): if type == "array" then reduce .[] as $key (.; ($key | _index($largest)) as $ok | .)
          else . end;
        def _setpath($path; $value): setpath($path; $value);
        def setpath(path; value): value as $value | (path | _path(1000000)) as $path | _setpath($path; $value);
        def _getpath($path): getpath($path);
        def getpath(path): (path | _path(infinite)) as $path | _getpath($path);
        def _delpaths($paths): delpaths($paths);
        def delpaths(paths): paths as $paths | (if ($paths | type) == "array" then
          reduce $paths[] as $path (.; ($path | _path(infinite)) as $ok | .) else . end) | _delpaths($paths);
        def del(f): delpaths([path(f)]);
        def _assign(paths; value): value as $value | reduce path(paths) as $path (.; setpath($path; $value));
        def _modify(paths; update): reduce path(paths) as $path (.; label $out
          | (setpath($path; getpath($path) | update) | ., break $out), delpaths([$path]));
        def fromstream(i): foreach i as $item ([null, false, null, false];
          if ($item[0] | length) == 0 then [null, false, .[2], .[3]]
          elif ($item | length) == 1 and ($item[0] | length) < 2 then [null, false, .[0], .[1]] else . end
          | . as $state | if ($item | length) > 1 and ($item[0] | length) > 0
            then [(.[0] | setpath($item[0]; $item[1])), true, $state[2], $state[3]] else . end;
          if ($item[0] | length) == 1 and ($item | length == 1) and .[3] then .[2] else empty end,
          if ($item[0] | length) == 0 then $item[1] else empty end);
        """)

    /// Looking for an empty text never ends.
    private static let searches = oneLine(
        """
        def _indices($text): _strindices($text);
        def _strindices($text): if $text == "" then [] else _indices($text) end;
        def indices($i): if type == "array" and ($i | type) == "array" then .[$i]
          elif type == "array" then .[[$i]]
          elif type == "string" and ($i | type) == "string" then _strindices($i) else .[$i] end;
        def index($i): indices($i) | .[0];
        def rindex($i): indices($i) | .[-1:][0];
        """)

    private static let remainder = oneLine(
        """
        def _remainder($a; $b): $a % $b;
        def _mod(a; b): b as $b | a as $a
          | if ($b | type) == "number" and $b <= -1 and $b > -2 and ($a | type) == "number" then 0
            else _remainder($a; $b) end;
        """)

    /// jq takes the word `nan` for a number, which JSON has not.
    private static let numbers = oneLine(
        """
        def _tonumber: tonumber;
        def tonumber: . as $text | _tonumber | if isnan then error("'\\($text)' is not a number") else . end;
        def _fromjson: fromjson;
        def fromjson: contains("nan") as $odd | _fromjson | if $odd then tojson | _fromjson else . end;
        """)

    /// Without line breaks, the lines of the expression behind it keep their numbers.
    private static func oneLine(_ text: String) -> String {
        String(text.map { $0 == "\n" ? " " : $0 })
    }
}
