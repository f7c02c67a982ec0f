import RxDiagnostics
import RxJSON
import RxYAML

extension FieldType where Value == String {
    /// Any text.
    package static var string: Self {
        .scalar("a text", schema: Schema.text()) { $0 }
    }

    /// A text that is not empty, such as a name or a path.
    ///
    /// - Parameters:
    ///   - what: what is expected, for messages.
    ///   - example: an example, for messages.
    ///   - pattern: the pattern of the text, for the schema only: the caller checks the text.
    package static func string(_ what: String, example: String, pattern: String? = nil) -> Self {
        .scalar("\(what) such as \(example)", schema: pattern.map(Schema.text) ?? Schema.someText) {
            $0.isEmpty ? nil : $0
        }
    }
}

extension FieldType where Value == LocatedText {
    /// A text with the location of each of its characters, for a further reader: an expression or a template.
    ///
    /// - Parameters:
    ///   - what: what is expected, for messages.
    ///   - example: an example, for messages.
    ///   - mayHoldCredential: whether the text may contain a credential. Otherwise its results may be shown.
    ///   - pattern: the pattern of the text, for the schema.
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
    /// Any whole number.
    package static var int: Self { int(.min ... .max) }

    /// A whole number in a range.
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

extension FieldType where Value == Int {
    /// The text of a size in the largest unit that divides it.
    private static func sizeText(_ byteCount: Int) -> String {
        let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        guard let (name, shift) = units.first(where: { byteCount != 0 && byteCount % (1 << $0.1) == 0 }) else {
            return byteCount == 1 ? "1 byte" : "\(byteCount) bytes"
        }
        return "\(byteCount >> shift)\(name)"
    }

    /// A size such as 256MiB.
    static func byteCount(_ range: ClosedRange<Int>) -> Self {
        let units = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        return .scalar(
            "a size from \(sizeText(range.lowerBound)) to \(sizeText(range.upperBound)) such as 64KiB or 1MiB",
            schema: [
                "anyOf": [["type": "string", "pattern": "^[0-9]+([KMG]iB)?$"], ["type": "integer"], Schema.reference]
            ]
        ) { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
            let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit)
            return !isTooMuch && range.contains(bytes) ? bytes : nil
        }
    }
}

extension FieldType where Value == Double {
    /// Any number.
    package static var number: Self {
        .scalar(
            "a number such as 0.5",
            schema: ["anyOf": [["type": "number"], ["type": "string", "pattern": "^[0-9.eE+-]+$"], Schema.reference]],
            YAMLNode.Scalar.number)
    }
}

extension FieldType where Value == Bool {
    /// A truth value, written as in systemd: true, yes, on, false, no or off.
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
    /// A duration, written as in systemd.
    package static var duration: Self {
        let expected = "a duration such as 10s, 1min 30s or 250ms"
        return FieldType(expected, schema: Schema.duration()) { node, context in
            guard let scalar = node.scalar, !node.isNull, !scalar.isSecret else {
                return context.report.wrong(node, expected)
            }
            do throws(SystemdDuration.Failure) {
                let duration = try SystemdDuration.parse(scalar.text.text)
                context.noticeUnit(of: scalar.text.text, duration, at: node.location)
                return duration
            } catch {
                context.report.add(error.message, at: node.location)
                return nil
            }
        }
    }

    /// A duration in a range.
    package static func duration(_ range: ClosedRange<Duration>) -> Self {
        let bounds = [range.lowerBound, range.upperBound].map(SystemdDuration.format)
        let expected = "a duration from \(bounds[0]) to \(bounds[1])"
        return FieldType(expected, schema: Schema.duration(range)) { node, context in
            guard let value = duration.read(node, context) else { return nil }
            return range.contains(value) ? value : context.report.wrong(node, expected)
        }
    }
}
