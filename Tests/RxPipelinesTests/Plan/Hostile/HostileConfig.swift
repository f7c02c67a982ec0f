/// A configuration that is made to harm the process that reads it, and its error.
struct HostileConfig: Sendable {
    /// A part of its text.
    enum Part: Sendable, ExpressibleByStringLiteral {
        case text(String)
        case bytes([UInt8])
        /// A repeated text.
        case times(String, Int)
        /// Numbered texts.
        case each(Int, @Sendable (Int) -> String)

        init(stringLiteral text: String) { self = .text(text) }
    }

    let name: String
    private let parts: [Part]
    /// The beginning of the first message, with its line and column; `nil` if the configuration is valid.
    let complaint: String?

    init(_ name: String, _ parts: Part..., gives complaint: String?) {
        self.name = name
        self.parts = parts
        self.complaint = complaint
    }

    var bytes: [UInt8] {
        parts.flatMap { part -> [UInt8] in
            switch part {
            case .text(let text): Array(text.utf8)
            case .bytes(let bytes): bytes
            case .times(let text, let count): Array(String(repeating: text, count: count).utf8)
            case .each(let count, let text): Array((0..<count).map(text).joined().utf8)
            }
        }
    }

    static let all = bytes + shapes + aliases + values + graphs + expressions + kinds
}

extension HostileConfig.Part {
    static let source: Self = "sources: { a: { interval: 1s } }\n"
    static let pipeline: Self = "pipelines: { p: { from: a, to: [stdout] } }\n"
    /// A valid configuration.
    static let good: Self = "sources: { a: { interval: 1s } }\npipelines: { p: { from: a, to: [stdout] } }\n"
}
