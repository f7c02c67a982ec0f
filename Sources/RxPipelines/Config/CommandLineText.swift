import RxJSON

/// A command line that stands where the name of a program is expected: `/usr/bin/df -h {{.path}}`.
struct CommandLineText {
    private let text: String

    /// Creates a command line from a text; `nil` if the text is one word.
    init?(_ text: String) {
        self.text = text
        if words.count < 2 { return nil }
    }

    /// The words between spaces. The spaces of a template separate nothing.
    var words: [String] {
        var words = [""]
        for (part, isTemplate) in parts {
            let pieces = isTemplate ? [part] : part.split(separator: " ", omittingEmptySubsequences: false)
            words[words.count - 1] += pieces[0]
            words += pieces.dropFirst().map(String.init)
        }
        return words.filter { !$0.isEmpty }
    }

    /// The templates.
    private var templates: [Substring] { parts.filter(\.isTemplate).map(\.text) }

    /// Whether only a shell does what it says.
    var needsShell: Bool {
        parts.contains { part, isTemplate in !isTemplate && part.contains { "&|;<>\"'`$*".contains($0) } }
    }

    /// The list to write in its place. The values of templates are arguments: a shell would run what they contain.
    var list: String {
        guard needsShell else { return "[\(words.map(\.flowScalar).joined(separator: ", "))]" }
        let values = templates.map { String($0).flowScalar }
        if values.isEmpty { return "[sh, -c, \(JSON.string(text))]" }
        return "[sh, -c, COMMAND, sh, \(values.joined(separator: ", "))], where COMMAND has \"$1\" for the first value"
    }

    /// The templates and what is between them.
    private var parts: [(text: Substring, isTemplate: Bool)] {
        var parts: [(text: Substring, isTemplate: Bool)] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            parts += [(rest[..<start.lowerBound], false), (rest[start.lowerBound..<end.upperBound], true)]
            rest = rest[end.upperBound...]
        }
        return parts + [(rest, false)]
    }
}

extension String {
    /// The text as an element of a list between brackets, in quotes if it needs them.
    var flowScalar: String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "/", "-", "+", "=", "%", "@": true
            default: false
            }
        }
        let isWord = unicodeScalars.contains { $0.properties.isAlphabetic || $0 == "/" }
        let needsQuotes = !isWord || !unicodeScalars.allSatisfy(isPlain) || "%@=".contains(first ?? " ")
        return needsQuotes ? "\(JSON.string(self))" : self
    }
}
