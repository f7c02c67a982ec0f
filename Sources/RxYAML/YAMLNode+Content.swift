extension YAMLNode {
    /// The content without its location and layout: two nodes with the same content mean the same.
    package var content: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// The mapping without a key.
    package func without(_ key: String) -> YAMLNode {
        guard let pairs = mapping else { return self }
        return YAMLNode(.mapping(pairs.filter { $0.key != key }), at: location)
    }

    private func write(to text: inout String) {
        switch value {
        case .scalar(let scalar):
            text += scalar.isPlain ? "~" : "'"
            Self.write(scalar.text.text, to: &text)
        case .sequence(let nodes):
            text += "[\(nodes.count)"
            for node in nodes { node.write(to: &text) }
        case .mapping(let pairs):
            text += "{\(pairs.count)"
            for pair in pairs {
                Self.write(pair.key, to: &text)
                pair.value.write(to: &text)
            }
        }
    }

    /// Writes the length before the text, so that no text can be confused with the end of one and the beginning of
    /// another.
    private static func write(_ scalar: String, to text: inout String) {
        text += "\(scalar.utf8.count):"
        text += scalar
    }
}
