/// Assembles a response from the header lines and body pieces that arrive.
struct ResponseAssembly {
    /// The limit that was exceeded.
    enum ExceededLimit {
        case header
        case fields
        case body
    }

    /// The most fields of a header. Each takes much more memory than its bytes.
    static let maximumFields = 1024

    /// The fields of the latest header: earlier ones are those of interim responses and redirects.
    private(set) var headers = HTTPHeaders()
    /// The body so far.
    private(set) var body: [UInt8] = []
    /// Whether anything has arrived.
    private(set) var hasBegun = false
    /// The limit that was exceeded; `nil` for none.
    private(set) var excess: ExceededLimit?

    private let headerLimit: Int
    private let bodyLimit: Int
    private let keepsBody: Bool
    private var headerSize = 0
    private var bodySize = 0
    /// Whether the latest header is incomplete.
    private(set) var isInHeader = false

    init(headerLimit: Int, bodyLimit: Int, keepsBody: Bool = true) {
        self.keepsBody = keepsBody
        self.headerLimit = headerLimit
        self.bodyLimit = bodyLimit
    }

    /// Takes a line of a header with its line end.
    ///
    /// - Returns: whether to continue.
    mutating func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        hasBegun = true
        headerSize += line.count
        guard headerSize <= headerLimit else {
            excess = .header
            return false
        }
        let text = trimmed(line)
        if !isInHeader {
            // Lines after a body are trailers, not header fields: they could claim what the header did not.
            if isStatusLine(line) { (isInHeader, headers, body, bodySize) = (true, HTTPHeaders(), [], 0) }
        } else if text.isEmpty {
            isInHeader = false
        } else if let first = line.first, first == space || first == tab {
            headers.continueLast(String(decoding: text, as: UTF8.self))
        } else if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            let name = trimmed(UnsafeRawBufferPointer(rebasing: text[..<colon]))
            let value = trimmed(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]))
            if !name.isEmpty {
                guard headers.count < Self.maximumFields else {
                    excess = .fields
                    return false
                }
                headers.append(.init(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
            }
        }
        return true
    }

    /// Takes a piece of the body.
    ///
    /// - Returns: whether to continue.
    mutating func receivePiece(_ piece: UnsafeRawBufferPointer) -> Bool {
        hasBegun = true
        guard piece.count <= bodyLimit - bodySize else {
            excess = .body
            return false
        }
        bodySize += piece.count
        if keepsBody { body += piece }
        return true
    }
}

private let space = UInt8(ascii: " ")
private let tab = UInt8(ascii: "\t")

private func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count >= 5 && zip(line, "HTTP/".utf8).allSatisfy { $0 == $1 }
}

/// Returns `text` without surrounding white space and line ends.
private func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    func isWhite(_ byte: UInt8) -> Bool { byte == space || (9...13).contains(byte) }
    guard let first = text.firstIndex(where: { !isWhite($0) }), let last = text.lastIndex(where: { !isWhite($0) })
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: text[first...last])
}
