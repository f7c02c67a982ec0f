import RxDiagnostics
import RxJSON

extension YAMLNode {
    /// The node as YAML in block style, which is read as the same node.
    ///
    /// - Parameter comment: returns the comment above a member of a mapping, by the keys of the mappings around it and its
    ///   own; `nil` for none.
    package func text(comment: (_ path: [String], _ pair: Pair) -> String? = { _, _ in nil }) -> String {
        var lines: [String] = []
        write(to: &lines, "", "", [], comment)
        return lines.joined(separator: "\n")
    }

    /// Writes the node, whose first line begins with `head`, and the others with `indentation`.
    private func write(
        to lines: inout [String], _ indentation: String, _ head: String, _ path: [String],
        _ comment: ([String], Pair) -> String?
    ) {
        switch value {
        case .scalar(let scalar): lines.append(head + scalar.quoted)
        case .sequence(let nodes) where nodes.isEmpty: lines.append(head + "[]")
        case .mapping(let pairs) where pairs.isEmpty: lines.append(head + "{}")
        case .sequence(let nodes):
            var head = head
            for node in nodes {
                node.write(to: &lines, indentation + "  ", head + "- ", path, comment)
                head = indentation
            }
        case .mapping(let pairs):
            var head = head
            for pair in pairs {
                let path = path + [pair.key]
                if let comment = comment(path, pair), head == indentation { lines.append("\(indentation)# \(comment)") }
                let key = head + Scalar(LocatedText(pair.key, at: pair.keyLocation), isPlain: false).quotedKey + ":"
                if pair.value.isOneLine {
                    pair.value.write(to: &lines, indentation, key + " ", path, comment)
                } else {
                    lines.append(key)
                    let inner = indentation + "  "
                    pair.value.write(to: &lines, inner, inner, path, comment)
                }
                head = indentation
            }
        }
    }

    private var isOneLine: Bool {
        switch value {
        case .scalar: true
        case .sequence(let nodes): nodes.isEmpty
        case .mapping(let pairs): pairs.isEmpty
        }
    }
}

extension YAMLNode.Scalar {
    /// The scalar in YAML, with quotes unless it means the same without.
    fileprivate var quoted: String {
        let text = text.text
        if isPlain, Self.isAnotherValue(text) { return text.isEmpty ? "null" : text }
        return !Self.isAnotherValue(text) && Self.isSafe(text) ? text : JSON.string(text).description
    }

    /// The key of a mapping, which is always a text.
    fileprivate var quotedKey: String { Self.isSafe(text.text) ? text.text : JSON.string(text.text).description }

    /// Whether the text without quotes is not text.
    private static func isAnotherValue(_ text: String) -> Bool {
        ["", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"].contains(text)
            || number(text) != nil
    }

    /// Whether the text needs no quotes: it is short, and nothing in it has a meaning in YAML.
    private static func isSafe(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first.isLetterOrDigit || "/_.".unicodeScalars.contains(first),
            let last = text.unicodeScalars.last, last != " "
        else { return false }
        return text.unicodeScalars.allSatisfy { $0.isLetterOrDigit || "/_.- ".unicodeScalars.contains($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }
}
