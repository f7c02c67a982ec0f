/// Header fields in their order, including repeated ones.
///
/// Names are compared without regard to case, as in HTTP.
public struct HTTPHeaders: Sendable, Hashable, RandomAccessCollection {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name of the field in its original case.
        public let name: String
        /// The value without surrounding white space.
        public let value: String

        /// The memory that a received field takes in addition to its bytes: the allocations of its texts, and its place
        /// in a list that may have been doubled.
        static let overhead = 128

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field]

    /// Creates a list of fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The index of the first field.
    public var startIndex: Int { fields.startIndex }
    /// The index after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at `index`.
    public subscript(index: Int) -> Field { fields[index] }

    /// The value of the first field called `name`; `nil` if there is none.
    public subscript(name: String) -> String? {
        fields.first { $0.isCalled(name) }?.value
    }

    /// Returns the values of every field called `name`.
    public func values(of name: String) -> [String] {
        fields.filter { $0.isCalled(name) }.map(\.value)
    }

    /// Appends a field.
    public mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Appends `text` to the value of the last field, for a folded line.
    mutating func continueLast(_ text: String) {
        guard let last = fields.popLast() else { return }
        fields.append(Field(last.name, last.value.isEmpty ? text : text.isEmpty ? last.value : "\(last.value) \(text)"))
    }

    /// Returns these fields, with those of `others` in place of fields of the same name.
    func updated(with others: HTTPHeaders) -> HTTPHeaders {
        let names = Set(others.fields.map { $0.name.lowercased() })
        return HTTPHeaders(fields.filter { !names.contains($0.name.lowercased()) } + others.fields)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a list of fields in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0, $1) })
    }
}

extension HTTPHeaders.Field {
    fileprivate func isCalled(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
    }
}

extension UInt8 {
    /// The lower-case letter of an ASCII upper-case one, or the byte itself.
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
