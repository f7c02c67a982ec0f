/// An error for a text that is not JSON.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}

extension JSON {
    /// The deepest nesting of arrays and objects that is accepted.
    package static let maximumDepth = 256

    /// Parses one JSON value, as leniently as jq does.
    ///
    /// Bytes that are not UTF-8 become U+FFFD, numbers are doubles, `nan` is null, and the last value of a repeated key
    /// counts.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
            var parser = JSONParser(bytes)
            return try parser.parse()
        }
    }

    package init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }

    /// Whether these bytes can be parsed.
    ///
    /// It makes no value, so that it takes no memory, however many values the text has.
    ///
    /// - Complexity: O(*n*) for *n* bytes.
    package static func canParse(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var parser = JSONParser(bytes, keepingParts: false)
            return (try? parser.parse()) != nil
        }
    }
}
