import RxDiagnostics

extension YAMLReader {
    /// The bytes of a file as text, without a byte order mark.
    static func decode(_ bytes: some Collection<UInt8>, file: String) throws(Diagnostics) -> String {
        if bytes.count > maximumSize {
            let start = SourceLocation(file: file, line: 1, column: 1)
            throw Diagnostics("the file has more than \(maximumSize >> 20) MiB; a config is smaller", at: start)
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

    /// Behind the last character that is not white space: where what is missing at the end of the file is missing.
    private var endOfContent: SourceLocation {
        let count = (source.lastIndex { !$0.properties.isWhitespace } ?? -1) + 1
        let content = source.prefix(count)
        return Self.end(of: String(String.UnicodeScalarView(content)), file: file)
    }

    /// libyaml's complaint in words that say what would be right, where that can be known.
    func diagnostic(for error: YAMLSyntaxError) -> Diagnostic {
        if let offset = error.byteOffset {
            let text = String(decoding: String(String.UnicodeScalarView(source)).utf8.prefix(offset), as: UTF8.self)
            return Diagnostic("a control character; remove it", at: Self.end(of: text, file: file))
        }
        let place = error.mark.index < source.count ? location(error.mark) : endOfContent
        if error.mark.index < source.count, source[error.mark.index] == "\t", error.problem.contains("token") {
            return Diagnostic("YAML is indented with spaces, not with tabs", at: place)
        }
        var message = "not YAML: \(error.problem)"
        if let (context, mark) = error.context {
            message += " \(context)"
            if mark.line + 1 != place.line { message += " that began on line \(mark.line + 1)" }
        }
        let advice = isReference(at: error.mark.index) ? Self.quotes : Self.advice(for: error.problem)
        return Diagnostic(message + advice, at: place)
    }

    private static let quotes = "; between '{' or '[' and its end, put a text with '${' in it in quotes"

    /// Whether a `${` stands on the line before a place: in a flow collection its brace begins a mapping.
    private func isReference(at index: Int) -> Bool {
        let line = source.prefix(index + 1).suffix(200).split(separator: "\n", omittingEmptySubsequences: false).last
        return line.map { String(String.UnicodeScalarView($0)).contains("${") } ?? false
    }

    private static func advice(for problem: String) -> String {
        switch problem {
        case "mapping values are not allowed in this context": "; put a text that holds ': ' in quotes"
        case "found character that cannot start any token": "; put a text that begins with it in quotes"
        case "did not find expected key", "did not find expected '-' indicator":
            "; look at the indentation of this line and of those above"
        case "could not find expected ':'": "; a key is followed by ': '"
        case "found unexpected end of stream": "; a quote is missing"
        default: ""
        }
    }
}
