import RxDiagnostics
import RxYAML

/// Kinds by their names in the config.
///
/// A value of a kind is written as a mapping with the kind's name for its one key, or, where everything about it may be
/// left out, as the name alone.
package struct KindTable<Kind>: Sendable {
    /// Reads what stands behind a kind's name; `nil` after reporting what is wrong.
    package typealias Read = @Sendable (YAMLNode, ReadingContext) -> Kind?

    private let what: String
    private let kinds: [(name: String, read: Read)]
    private let elsewhere: [String: String]

    /// - Parameter elsewhere: names that belong elsewhere in the config, and where.
    package init(_ what: String, _ kinds: KeyValuePairs<String, Read>, elsewhere: [String: String] = [:]) {
        self.what = what
        self.elsewhere = elsewhere
        self.kinds = kinds.map { (name: $0, read: $1) }
    }

    package var names: [String] { kinds.map(\.name) }

    /// Reads a value of any of the kinds.
    package var type: FieldType<(name: String, kind: Kind)> {
        let expected = "a \(what): one of \(names.joined(separator: ", "))"
        return FieldType(expected, schema: ["type": ["object", "string"]]) { node, context in
            if let scalar = node.scalar, !node.isNull {
                // An unknown name is reported with the known ones.
                if scalar.isSecret { return context.report.refuseCredential(node) }
                let empty = YAMLNode.Scalar(LocatedText("", at: node.location), isPlain: true)
                let nothing = YAMLNode(.scalar(empty), at: node.location)
                return read(scalar.text.text, at: node.location, nothing, context)
            }
            guard let pairs = node.mapping, let pair = pairs.first else { return context.report.wrong(node, expected) }
            guard pairs.count == 1 else {
                let second = pairs[1]
                context.report.add(
                    "a \(what) is of one kind, found '\(pair.key)' and '\(second.key)'", at: second.keyLocation)
                return nil
            }
            return read(pair.key, at: pair.keyLocation, pair.value, context)
        }
    }

    private func read(
        _ name: String, at location: SourceLocation, _ node: YAMLNode, _ context: ReadingContext
    ) -> (name: String, kind: Kind)? {
        guard let entry = kinds.first(where: { $0.name == name }) else {
            if let place = elsewhere[name] {
                context.report.add("'\(name)' is no \(what): \(place)", at: location)
                return nil
            }
            let known = "; there are \(names.joined(separator: ", "))"
            context.report.add(
                "unknown \(what) '\(name.shortened)'\(context.report.hint(for: name, in: names) ?? known)", at: location
            )
            return nil
        }
        return entry.read(node, context).map { (name, $0) }
    }
}
