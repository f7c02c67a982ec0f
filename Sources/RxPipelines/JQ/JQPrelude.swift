/// Definitions put before an expression, in place of builtins that harm a daemon in libjq 1.6.
///
/// Each is there only when the expression names what it replaces, so that others do not pay for compiling it.
enum JQPrelude {
    static func definitions(for text: String) -> String {
        groups.filter { group in group.words.contains { text.contains($0) } }.map(\.definitions).joined()
    }

    private static let groups: [(words: [String], definitions: String)] = [
        // Prints on standard error by itself.
        (["stderr"], "def stderr: .;"),
        (["match", "capture", "scan", "split", "sub"], regularExpressions),
        (["strftime", "strflocaltime", "todate"], times),
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

    /// Without line breaks, the lines of the expression behind it keep their numbers.
    private static func oneLine(_ text: String) -> String {
        String(text.map { $0 == "\n" ? " " : $0 })
    }
}
