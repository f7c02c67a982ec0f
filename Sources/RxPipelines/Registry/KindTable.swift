import RxDiagnostics
import RxYAML

/// The kinds of sources, steps or sinks, by their names in the configuration.
///
/// A value of a kind is a mapping with the kind's name as its only key, or the name alone if all settings have
/// defaults.
package struct KindTable<Kind>: Sendable {
    /// Reads the value of a kind's key; `nil` after reporting an error.
    package typealias Read = @Sendable (YAMLNode, ReadingContext) -> Kind?

    private let noun: String
    private let kinds: [(name: String, read: Read)]
    private let meanings: [String: String]
    private let synonyms: [String: String]
    private let misplaced: [String: String]

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - noun: what the table has, for messages: "source".
    ///   - kinds: the reader of each kind, by name.
    ///   - meanings: descriptions of the kinds, for the schema.
    ///   - synonyms: names of other programs for a kind, in lower case, with the kind or an example of it.
    ///   - misplaced: names that belong elsewhere in the configuration, with an explanation.
    package init(
        _ noun: String, _ kinds: KeyValuePairs<String, Read>, meanings: [String: String] = [:],
        synonyms: [String: String] = [:], misplaced: [String: String] = [:]
    ) {
        self.noun = noun
        self.meanings = meanings
        self.synonyms = synonyms
        self.misplaced = misplaced
        self.kinds = kinds.map { (name: $0, read: $1) }
    }

    package var names: [String] { kinds.map(\.name) }

    /// The description of a kind; `nil` if it has none.
    func meaning(of name: String) -> String? { meanings[name] }

    /// The largest number of names that a message lists.
    private static var maximumListed: Int { 10 }

    /// The names, for a message; if there are too many, a reference to the manual.
    private var list: String {
        names.count > Self.maximumListed
            ? "rxwatchd.yaml(5) lists all \(noun)s" : "one of \(names.joined(separator: ", "))"
    }

    /// Reads a value of any of the kinds.
    package var type: FieldType<(name: String, kind: Kind)> {
        let expected = "a \(noun) (\(list))"
        return FieldType(expected, schema: ["type": ["object", "string"]]) { node, context in
            if let scalar = node.scalar, !node.isNull {
                // A message about an unknown name would show the credential.
                if scalar.isSecret { return context.report.refuseCredential(node) }
                let empty = YAMLNode.Scalar(LocatedText("", at: node.location), isPlain: true)
                let nothing = YAMLNode(.scalar(empty), at: node.location)
                return read(scalar.text.text, at: node.location, nothing, context)
            }
            guard let pairs = node.mapping, let pair = pairs.first else { return context.report.wrong(node, expected) }
            guard pairs.count == 1 else {
                let kinds = pairs.filter { pair in self.kinds.contains { $0.name == pair.key } }
                // Usually a key that lacks indentation, as in `- journal:` with `priority: err` right below.
                if kinds.count == 1, let kind = kinds.first, let other = pairs.first(where: { $0.key != kind.key }) {
                    context.report.add(
                        "'\(other.key.shortened)' is not a \(noun); if it belongs to '\(kind.key)', indent it further, or move "
                            + "it into the braces of '\(kind.key)'", at: other.keyLocation)
                    return nil
                }
                let second = pairs[1]
                context.report.add(
                    "a \(noun) has one kind, found '\(pair.key)' and '\(second.key)'; make it two \(noun)s",
                    at: second.keyLocation)
                return nil
            }
            return read(pair.key, at: pair.keyLocation, pair.value, context)
        }
    }

    private func read(
        _ name: String, at location: SourceLocation, _ node: YAMLNode, _ context: ReadingContext
    ) -> (name: String, kind: Kind)? {
        guard let entry = kinds.first(where: { $0.name == name }) else {
            if let place = misplaced[name] {
                context.report.add("'\(name)' is not a \(noun): \(place)", at: location)
                return nil
            }
            context.report.add("unknown \(noun) '\(name.shortened)'\(hint(for: name, context.report))", at: location)
            return nil
        }
        return entry.read(node, context).map { (name, $0) }
    }

    private func hint(for name: String, _ report: Report) -> String {
        if let meant = synonyms[name.lowercased()] { return "; did you mean '\(meant)'?" }
        return report.hint(for: name, in: names)
            ?? (names.count > Self.maximumListed ? "; \(list)" : "; expected \(list)")
    }
}
