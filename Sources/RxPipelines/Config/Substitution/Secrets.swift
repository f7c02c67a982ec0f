/// The credentials in a config, so that nothing the daemon tells shows them.
///
/// A text that holds one is told with `${credential:NAME}` in its place, as it stands in the config. What is looked for
/// is the credential itself, each of its lines, and what becomes of them in a URL and in JSON.
package struct Secrets: Sendable {
    /// The shortest text that is looked for: anything shorter stands in other texts by chance.
    package static let shortest = 4

    /// The longest first, so that of two that begin alike none is left in part.
    private var forms: [(text: [UInt8], shown: [UInt8])] = []
    private var firstBytes: Set<UInt8> = []
    /// What stands for credentials that only the service gets.
    private(set) var unknown: [String] = []

    package init() {}

    package var isEmpty: Bool { forms.isEmpty }

    mutating func insert(_ secret: String, named name: String) {
        let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
        let shown = Array(Self.reference(to: name).utf8)
        for text in [secret] + lines {
            for form in [Array(text.utf8), Self.percentEncoded(text), Self.escaped(text)] {
                guard form.count >= Self.shortest, !forms.contains(where: { $0.text == form }) else { continue }
                forms.append((form, shown))
                firstBytes.insert(form[0])
            }
        }
        forms.sort { $0.text.count > $1.text.count }
    }

    /// Takes in a credential that cannot be known here.
    ///
    /// - Returns: what stands for it. A message about that is none about the config.
    mutating func insert(unknown name: String) -> String {
        let reference = Self.reference(to: name)
        if !unknown.contains(reference) { unknown.append(reference) }
        return reference
    }

    /// Whether a message is about what stands for a credential that is not known.
    func isAboutUnknown(_ message: String) -> Bool {
        unknown.contains(where: message.contains)
    }

    /// The text without any of the credentials.
    package func redacted(_ text: String) -> String {
        guard !isEmpty else { return text }
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if firstBytes.contains(bytes[index]),
                let form = forms.first(where: { bytes[index...].starts(with: $0.text) })
            {
                shown += form.shown
                index += form.text.count
            } else {
                shown.append(bytes[index])
                index += 1
            }
        }
        return shown.count == bytes.count && shown == bytes ? text : String(decoding: shown, as: UTF8.self)
    }

    /// The value without any of the credentials, in keys as in texts.
    package func redacted(_ value: JSON) -> JSON {
        guard !isEmpty else { return value }
        switch value {
        case .string(let text): return .string(redacted(text))
        case .array(let values): return .array(values.map(redacted))
        case .object(let object):
            var result = JSON.Object()
            for (key, value) in object.members { result[redacted(key)] = redacted(value) }
            return .object(result)
        case .null, .bool, .number: return value
        }
    }

    private static func reference(to name: String) -> String { "${credential:\(name)}" }

    private static func percentEncoded(_ text: String) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        return text.utf8.flatMap { byte in
            byte.isUnreserved ? [byte] : [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
    }

    /// As it stands in a JSON text.
    private static func escaped(_ text: String) -> [UInt8] {
        JSON.string(text).bytes.dropFirst().dropLast()
    }
}

extension UInt8 {
    /// What a URL holds as it is, wherever it stands.
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

extension Report {
    /// Reports a credential where what is read would be shown, and is nil for the reader to return.
    package func refuseCredential<Value>(_ node: YAMLNode) -> Value? {
        add("a credential cannot stand here, since what comes of it is shown", at: node.location)
        return nil
    }
}
