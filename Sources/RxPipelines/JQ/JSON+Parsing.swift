extension JSON {
    /// Reads one JSON value, as jq does: bytes that are not UTF-8 become U+FFFD, numbers are doubles, nesting deeper
    /// than 256 is an error, and of a key that comes twice the last value counts.
    package init(parsing bytes: [UInt8]) throws(JQError) {
        if bytes.count > Int32.max { throw JQError("not JSON: it has more than 2 GiB") }
        let value = JV(parsing: bytes)
        if value.isValid {
            self = try value.json()
        } else {
            throw JQError("not JSON: \(Self.reason(try value.errorMessage()?.json()))")
        }
    }

    package init(parsing text: String) throws(JQError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// jq repeats the whole text in its message; that could be megabytes.
    private static func reason(_ message: JSON?) -> String {
        guard let text = message?.string, !text.hasPrefix("Expected JSON value") else { return "it is empty" }
        guard let range = text.firstRange(of: " (while parsing '") else { return text }
        return String(text[..<range.lowerBound])
    }
}
