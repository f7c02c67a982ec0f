import RxDiagnostics

/// A value read from YAML, which knows where it stands.
///
/// Aliases are already replaced by what they name, so a node is a plain tree.
package struct YAMLNode: Sendable {
    package enum Value: Sendable {
        case scalar(Scalar)
        case sequence([YAMLNode])
        case mapping([Pair])
    }

    /// A text, and how it was written.
    package struct Scalar: Sendable {
        /// The text and where each of its characters stands.
        package var text: LocatedText
        /// Written without quotes, so that `true`, `5` and nothing at all may mean more than a text.
        package var isPlain: Bool
        /// Holds a credential: no message may show it.
        package var isSecret: Bool

        package init(_ text: LocatedText, isPlain: Bool, isSecret: Bool = false) {
            self.text = text
            self.isPlain = isPlain
            self.isSecret = isSecret
        }
    }

    /// One `key: value`. Keys are always texts.
    package struct Pair: Sendable {
        package var key: String
        package var keyLocation: SourceLocation
        package var value: YAMLNode

        package init(_ key: String, at keyLocation: SourceLocation, _ value: YAMLNode) {
            self.key = key
            self.keyLocation = keyLocation
            self.value = value
        }
    }

    package var value: Value
    package var location: SourceLocation

    package init(_ value: Value, at location: SourceLocation) {
        self.value = value
        self.location = location
    }
}

extension YAMLNode {
    package var scalar: Scalar? {
        if case .scalar(let scalar) = value { scalar } else { nil }
    }

    package var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = value { nodes } else { nil }
    }

    package var mapping: [Pair]? {
        if case .mapping(let pairs) = value { pairs } else { nil }
    }

    /// Nothing was written, or `null` or `~` without quotes.
    package var isNull: Bool {
        guard let scalar, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text.text)
    }

    /// The value under a key of a mapping.
    package subscript(key: String) -> YAMLNode? {
        mapping?.first { $0.key == key }?.value
    }

    /// What it is, in the words of an error message: "a list", "the text 'x'". A credential is not shown.
    package var described: String {
        switch value {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar where isNull: "nothing"
        case .scalar(let scalar) where scalar.isSecret: "a credential"
        case .scalar(let scalar):
            "'\(scalar.text.text.shortened)'"
        }
    }
}

extension YAMLNode {
    /// Where it stands, and everything in it: what is in a mapping behind the mapping, and each key behind its value.
    package var locations: [SourceLocation] {
        switch value {
        case .scalar: [location]
        case .sequence(let nodes): [location] + nodes.flatMap(\.locations)
        case .mapping(let pairs): [location] + pairs.flatMap { $0.value.locations + [$0.keyLocation] }
        }
    }
}
