import RxDiagnostics
import RxJSON
import RxYAML

extension FieldType where Value == String {
    package static var string: Self {
        .scalar("a text", schema: Schema.text()) { $0 }
    }

    /// A text that is not empty, such as a name or a path.
    ///
    /// - Parameter pattern: what the schema says that it matches. What is read is looked at by whoever reads it.
    package static func string(_ what: String, example: String, pattern: String? = nil) -> Self {
        .scalar("\(what) such as \(example)", schema: pattern.map(Schema.text) ?? Schema.someText) {
            $0.isEmpty ? nil : $0
        }
    }
}

extension FieldType where Value == LocatedText {
    /// A text that will be read further, with the place of each of its characters: an expression, a template. What
    /// comes of it is shown, unless `mayHoldCredential` says that it is not.
    package static func text(
        _ what: String, example: String, mayHoldCredential: Bool = false, pattern: String? = nil
    ) -> Self {
        let expected = "\(what) such as \(example)"
        return FieldType(expected, schema: Schema.text(pattern)) { node, context in
            guard let scalar = node.scalar, !node.isNull else { return context.report.wrong(node, expected) }
            return scalar.isSecret && !mayHoldCredential ? context.report.refuseCredential(node) : scalar.text
        }
    }
}

extension FieldType where Value == Int {
    package static var int: Self { int(.min ... .max) }

    /// A whole number within bounds.
    package static func int(_ range: ClosedRange<Int>) -> Self {
        let isOpen = (range.lowerBound == .min, range.upperBound == .max)
        var number: JSON = ["type": "integer"]
        if !isOpen.0 { number["minimum"] = .number(Double(range.lowerBound)) }
        if !isOpen.1 { number["maximum"] = .number(Double(range.upperBound)) }
        let schema: JSON = ["anyOf": [number, ["type": "string", "pattern": "^[+-]?[0-9]+$"], Schema.reference]]
        let bounds =
            switch isOpen {
            case (true, true): "such as 5"
            case (false, true): "of \(range.lowerBound) or more"
            case (true, false): "of \(range.upperBound) or less"
            case (false, false): "from \(range.lowerBound) to \(range.upperBound)"
            }
        return .scalar("a whole number \(bounds)", schema: schema) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension FieldType where Value == Double {
    package static var number: Self {
        .scalar(
            "a number such as 0.5",
            schema: ["anyOf": [["type": "number"], ["type": "string", "pattern": "^[0-9.eE+-]+$"], Schema.reference]],
            YAMLNode.Scalar.number)
    }
}

extension FieldType where Value == Bool {
    /// As systemd reads them.
    package static var bool: Self {
        .scalar(
            "true or false",
            schema: [
                "anyOf": [
                    ["type": "boolean"],
                    ["type": "string", "pattern": "^([Tt]rue|[Yy]es|[Oo]n|[Ff]alse|[Nn]o|[Oo]ff)$"], Schema.reference,
                ]
            ]
        ) { text in
            switch text.lowercased() {
            case "true", "yes", "on": true
            case "false", "no", "off": false
            default: nil
            }
        }
    }
}

extension FieldType where Value == Duration {
    package static var duration: Self {
        let expected = "a duration such as 10s, 1min 30s or 250ms"
        return FieldType(expected, schema: Schema.duration()) { node, context in
            guard let scalar = node.scalar, !node.isNull, !scalar.isSecret else {
                return context.report.wrong(node, expected)
            }
            do throws(SystemdDuration.Failure) {
                return try SystemdDuration.parse(scalar.text.text)
            } catch {
                context.report.add(error.message, at: node.location)
                return nil
            }
        }
    }

    /// A duration within bounds.
    package static func duration(_ range: ClosedRange<Duration>) -> Self {
        let bounds = [range.lowerBound, range.upperBound].map(SystemdDuration.format)
        let expected = "a duration from \(bounds[0]) to \(bounds[1])"
        return FieldType(expected, schema: Schema.duration(range)) { node, context in
            guard let value = duration.read(node, context) else { return nil }
            return range.contains(value) ? value : context.report.wrong(node, expected)
        }
    }
}
