import RxJSON

/// The credentials in a config, so that nothing the daemon tells shows them.
///
/// A text that holds one is told with `${credential:NAME}` in its place, as it stands in the config. What is looked for
/// is the credential itself, each of its lines, and what becomes of them in a URL and in JSON.
package struct Secrets: Sendable {
    /// The shortest text that is looked for: anything shorter stands in other texts by chance.
    package static let shortest = 4

    /// What is looked for, and what is shown for it.
    private typealias Form = (text: [UInt8], shown: [UInt8])

    /// By the first bytes, the longest first, so that of two that begin alike none is left in part. A credential of
    /// many lines, such as a key, is found as quickly as one.
    private var forms: [UInt32: [Form]] = [:]
    /// The names of credentials that only the service gets.
    private var unknownNames: Set<String> = []

    package init() {}

    package var isEmpty: Bool { forms.isEmpty }

    package mutating func insert(_ secret: String, named name: String) {
        let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
        let shown = Array(Self.reference(to: name).utf8)
        for text in [secret] + lines {
            for form in [Array(text.utf8), Self.percentEncoded(text), Self.escaped(text)] {
                guard let start = Self.start(of: form[...]) else { continue }
                insert((form, shown), under: start)
            }
        }
    }

    private mutating func insert(_ form: Form, under start: UInt32) {
        let others = forms[start] ?? []
        let place = others.firstIndex { $0.text.count <= form.text.count } ?? others.count
        if others[place...].contains(where: { $0.text == form.text }) { return }
        forms[start, default: []].insert(form, at: place)
    }

    /// The first bytes as a number; `nil` where there are too few.
    private static func start(of text: ArraySlice<UInt8>) -> UInt32? {
        guard text.count >= shortest else { return nil }
        return text.prefix(shortest).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Takes in a credential that cannot be known here.
    ///
    /// - Returns: what stands for it. A message about that is none about the config.
    package mutating func insert(unknown name: String) -> String {
        unknownNames.insert(name)
        return Self.reference(to: name)
    }

    /// What stands for credentials that only the service gets.
    package var unknown: [String] { unknownNames.sorted().map(Self.reference) }

    /// Whether a message is about what stands for a credential that is not known.
    func isAboutUnknown(_ message: String) -> Bool {
        guard !unknownNames.isEmpty else { return false }
        var rest = message[...]
        while let start = rest.firstRange(of: Self.opening) {
            rest = rest[start.upperBound...]
            // A name may have braces in it, in pairs.
            var depth = 1
            let name = rest.prefix { character in
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                return depth > 0
            }
            if unknownNames.contains(String(name)) { return true }
        }
        return false
    }

    /// The text without any of the credentials.
    package func redacted(_ text: String) -> String {
        guard !isEmpty else { return text }
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let start = Self.start(of: bytes[index...]),
                let form = forms[start]?.first(where: { bytes[index...].starts(with: $0.text) })
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
            // By their bytes.
            var keys: Set<JSON> = []
            // Two that differ in nothing but a credential are one.
            let members = object.members.map { (redacted($0.key), $0.value) }
                .filter { keys.insert(.string($0.0)).inserted }
            return .object(JSON.Object(uniqueKeysWithValues: members.map { ($0.0, redacted($0.1)) }))
        case .null, .bool, .number: return value
        }
    }

    private static let opening = "${credential:"

    private static func reference(to name: String) -> String { "\(opening)\(name)}" }

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
