import RxDiagnostics

/// A value read from YAML, with its location.
///
/// Aliases are already replaced by the nodes that they name, so a node is a plain tree.
package struct YAMLNode: Sendable {
    /// The kind of a node, and its content.
    package enum Value: Sendable {
        /// A text, or another single value.
        case scalar(Scalar)
        /// A list.
        case sequence([YAMLNode])
        /// A mapping, in the order of the file, with distinct keys.
        case mapping([Pair])
    }

    /// A text and its style.
    package struct Scalar: Sendable {
        /// The text of the scalar, with the locations of its characters.
        package var text: LocatedText
        /// Whether the scalar has no quotes, so that `true`, `5` and an empty text may be other values than texts.
        package var isPlain: Bool
        /// Whether the scalar contains a credential: no message may show it.
        package var isSecret: Bool

        package init(_ text: LocatedText, isPlain: Bool, isSecret: Bool = false) {
            self.text = text
            self.isPlain = isPlain
            self.isSecret = isSecret
        }
    }

    /// A `key: value`. Keys are always texts.
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
    /// The scalar; `nil` for a list or a mapping.
    package var scalar: Scalar? {
        if case .scalar(let scalar) = value { scalar } else { nil }
    }

    /// The elements of a list; `nil` for other nodes.
    package var sequence: [YAMLNode]? {
        if case .sequence(let nodes) = value { nodes } else { nil }
    }

    /// The members of a mapping; `nil` for other nodes.
    package var mapping: [Pair]? {
        if case .mapping(let pairs) = value { pairs } else { nil }
    }

    /// Whether the node is empty, or `null` or `~` without quotes.
    package var isNull: Bool {
        guard let scalar, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text.text)
    }

    /// The value of a key of a mapping.
    package subscript(key: String) -> YAMLNode? {
        mapping?.first { $0.key == key }?.value
    }

    /// The description of the node in an error message: "a list", "the text 'x'". A credential is not shown.
    package var described: String {
        switch value {
        case .sequence(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .mapping(let pairs): pairs.isEmpty ? "an empty mapping" : "a mapping"
        case .scalar where isNull: "nothing"
        case .scalar(let scalar) where scalar.isSecret: "a credential"
        case .scalar(let scalar):
            "'\(scalar.text.text.shortened)'"
        }
    }
}

extension YAMLNode {
    /// The locations of the node and of all that it contains.
    ///
    /// Those of a mapping's members follow the mapping, each key after its value.
    package var locations: [SourceLocation] {
        switch value {
        case .scalar: [location]
        case .sequence(let nodes): [location] + nodes.flatMap(\.locations)
        case .mapping(let pairs): [location] + pairs.flatMap { $0.value.locations + [$0.keyLocation] }
        }
    }
}
