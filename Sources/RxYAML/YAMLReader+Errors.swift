import RxDiagnostics

extension YAMLReader {
    /// Decodes the bytes of a file and drops a byte order mark.
    static func decode(_ bytes: some Collection<UInt8>, file: String) throws(Diagnostics) -> String {
        if bytes.count > maximumSize {
            let start = SourceLocation(file: file, line: 1, column: 1)
            throw Diagnostics(
                "the file is too large; a configuration file has up to \(maximumSize >> 20) MiB", at: start)
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            let valid = String(decoding: bytes.prefix(lengthOfValidPrefix(bytes)), as: UTF8.self)
            throw Diagnostics(
                [Diagnostic("this is not UTF-8; save the file as UTF-8", at: end(of: valid, file: file))],
                sources: [SourceText(file: file, text: String(decoding: bytes, as: UTF8.self))])
        }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return text
    }

    private static func lengthOfValidPrefix(_ bytes: some Collection<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var length = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { length += UTF8.width(scalar) }
        return length
    }

    private static func end(of text: String, file: String) -> SourceLocation {
        let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" }
        let last = lines.last.map { $0.count } ?? 0
        return SourceLocation(file: file, line: max(lines.count, 1), column: last + 1)
    }

    /// The location after the last character that is not white space: where something is missing at the end of the file.
    private var endOfContent: SourceLocation {
        let count = (source.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
        let content = source.prefix(count)
        return Self.end(of: String(String.UnicodeScalarView(content)), file: file)
    }

    /// Rewords an error of libyaml so that it says what to write instead, if that is known.
    func diagnostic(for error: YAMLSyntaxError) -> Diagnostic {
        if let offset = error.byteOffset {
            let text = String(decoding: String(String.UnicodeScalarView(source)).utf8.prefix(offset), as: UTF8.self)
            return Diagnostic("a control character; remove it", at: Self.end(of: text, file: file))
        }
        let place = error.mark.index < source.count ? location(error.mark) : endOfContent
        if error.mark.index < source.count, source[error.mark.index] == "\t", error.problem.contains("token") {
            return Diagnostic("YAML is indented with spaces, not with tabs", at: place)
        }
        if let (start, mark) = unquoted(error) {
            return Diagnostic(Self.quotes(start, text(from: mark.index)), at: location(mark))
        }
        if let message = unclosed(error) { return Diagnostic(message, at: place) }
        var message = "not YAML: \(error.problem)"
        if let (context, mark) = error.context {
            message += " \(context)"
            if mark.line + 1 != place.line { message += " that began on line \(mark.line + 1)" }
        }
        let isInFlow = error.context?.text.contains("flow") ?? false
        if let pair = opening(before: error.mark.index, isInFlow ? ["${", "{{"] : ["${"]) {
            return Diagnostic(
                "\(message); between '{' or '[' and its end, put a text with '\(pair)' in it in quotes", at: place)
        }
        return Diagnostic(message + Self.advice(for: error.problem), at: place)
    }

    /// The error of a list in brackets or a mapping in braces that goes on where it should end or have a comma; `nil` for
    /// any other error.
    private func unclosed(_ error: YAMLSyntaxError) -> String? {
        guard let (context, mark) = error.context, opening(before: error.mark.index, ["${", "{{"]) == nil else {
            return nil
        }
        let (what, begin, end, item): (String, String, String, String)
        switch context {
        case "while parsing a flow sequence": (what, begin, end, item) = ("list", "[", "]", "item")
        case "while parsing a flow mapping": (what, begin, end, item) = ("mapping", "{", "}", "key")
        case "while parsing a flow node":
            return "a value, or the ']' or '}' of a list or mapping, is missing here; write it"
        default: return nil
        }
        return "the \(what) that '\(begin)' begins at \(location(mark)) is not closed here; write '\(end)' at its end, "
            + "or ',' before its next \(item)"
    }

    /// The character with a meaning in YAML that an unquoted text begins with, if that is the error, and its location.
    private func unquoted(_ error: YAMLSyntaxError) -> (start: Character, mark: YAMLEvent.Mark)? {
        switch error.context {
        case ("while scanning an alias", let mark)?: ("*", mark)
        case ("while scanning an anchor", let mark)?: ("&", mark)
        default:
            error.problem == "found character that cannot start any token" && error.mark.index < source.count
                ? (Character(source[error.mark.index]), error.mark) : nil
        }
    }

    /// The unquoted text at a location, up to a space or the end of its list.
    private func text(from index: Int) -> String {
        String(
            String.UnicodeScalarView(
                source[index...].prefix { !$0.properties.isWhitespace && !",]}'\"".unicodeScalars.contains($0) }))
    }

    /// The error of a text that begins with a character with a meaning in YAML.
    ///
    /// - Parameters:
    ///   - start: the character.
    ///   - text: the text.
    static func quotes(_ start: Character, _ text: String) -> String {
        "a text that begins with '\(start)' must be in quotes, such as '\(text.shortened)'"
    }

    /// The advice for an unquoted `{{` in the value of a key; `nil` without one.
    ///
    /// - Parameters:
    ///   - index: the index of the second brace.
    ///   - key: the key.
    func adviceForBraces(before index: Int, of key: String?) -> String? {
        guard index > 0, source[index - 1] == "{" else { return nil }
        guard let key, expressionKeys.contains(key), let inside = textInBraces(from: index) else {
            return "a text with '{{' in it must be in quotes, such as \"{{.tick}} ticks\""
        }
        let isPlain = inside.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "._0123456789".unicodeScalars.contains($0)
        }
        let expression = isPlain ? inside : "'\(inside.replacing("'", with: "''"))'"
        return "'\(key)' takes an expression, without '{{' and '}}'; write \(key): \(expression)"
    }

    /// The text between `{{` and `}}`, if nothing follows that on the line but the end of lists and mappings.
    private func textInBraces(from index: Int) -> String? {
        let line = source[(index + 1)...].prefix { $0 != "\n" }
        let text = String(String.UnicodeScalarView(line))
        guard let end = text.firstRange(of: "}}"), text[end.upperBound...].allSatisfy({ " ,]}\r".contains($0) }) else {
            return nil
        }
        let inside = text[..<end.lowerBound].drop { $0 == " " }
        guard let last = inside.lastIndex(where: { $0 != " " }) else { return nil }
        return String(inside[...last])
    }

    /// The first of some texts that precedes a location on its line: in a flow collection its brace begins a mapping.
    private func opening(before index: Int, _ texts: [String]) -> String? {
        let line = source.prefix(index + 1).suffix(200).split(separator: "\n", omittingEmptySubsequences: false).last
        guard let text = line.map({ String(String.UnicodeScalarView($0)) }) else { return nil }
        return texts.first { text.contains($0) }
    }

    private static func advice(for problem: String) -> String {
        switch problem {
        case "mapping values are not allowed in this context": "; put a text that holds ': ' in quotes"
        case "did not find expected key", "did not find expected '-' indicator":
            "; look at the indentation of this line and of those above, and put a value that goes on after a quote or a "
                + "bracket in quotes as a whole"
        case "could not find expected ':'": "; a key is followed by ': ', with the space"
        case "did not find expected comment or line break":
            "; '>' and '|' begin a text of several lines: put the whole value in quotes"
        case "found unexpected end of stream": "; a quote is missing"
        default: ""
        }
    }
}
