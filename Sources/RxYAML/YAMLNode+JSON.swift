import RxDiagnostics
import RxJSON

extension YAMLNode {
    /// Converts the value to JSON by the rules of YAML 1.2.
    ///
    /// A quoted scalar is a text. Of the others only `null`, `~`, `true`, `false` and numbers are not texts.
    package func json(_ report: Report) -> JSON? {
        switch value {
        case .sequence(let nodes):
            let values = nodes.compactMap { $0.json(report) }
            return values.count == nodes.count ? .array(values) : nil
        case .mapping(let pairs):
            let values = pairs.compactMap { pair in pair.value.json(report).map { (pair.key, $0) } }
            return values.count == pairs.count ? .object(JSON.Object(uniqueKeysWithValues: values)) : nil
        case .scalar(let scalar) where scalar.isSecret:
            return report.refuseCredential(self)
        case .scalar(let scalar):
            return isNull ? .null : json(of: scalar, report)
        }
    }

    private func json(of scalar: Scalar, _ report: Report) -> JSON? {
        let text = scalar.text.text
        guard scalar.isPlain else { return .string(text) }
        switch text {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        case ".inf", "+.inf", "-.inf", ".nan", ".Inf", ".INF", "+.Inf", "+.INF", "-.Inf", "-.INF", ".NaN", ".NAN":
            report.add("JSON has no number \(text); put it in quotes if the text is meant", at: location)
            return nil
        default:
            return YAMLNode.Scalar.number(text).map(JSON.number) ?? .string(text)
        }
    }
}

extension YAMLNode.Scalar {
    /// Parses a number of YAML 1.2: decimal, `0x1f` or `0o17`.
    package static func number(_ text: String) -> Double? {
        if text.hasPrefix("0x") { return UInt64(text.dropFirst(2), radix: 16).map { Double($0) } }
        if text.hasPrefix("0o") { return UInt64(text.dropFirst(2), radix: 8).map { Double($0) } }
        // Double.init would also accept "nan", "infinity" and hexadecimal fractions.
        let isDecimal = text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }
        guard isDecimal, text.utf8.contains(where: { (48...57).contains($0) }) else { return nil }
        let mantissa = text.hasSuffix(".") ? text + "0" : text
        return Double(mantissa).flatMap { $0.isFinite ? $0 : nil }
    }
}
