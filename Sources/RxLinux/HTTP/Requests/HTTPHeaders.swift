/// Header fields in the order they were given or came, repeated ones included.
///
/// Names are compared without regard to case, as HTTP does.
public struct HTTPHeaders: Sendable, Hashable, RandomAccessCollection {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name, in the case it was given or came in.
        public let name: String
        /// The value, without the white space around it.
        public let value: String

        /// A field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field]

    /// These fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The index of the first field.
    public var startIndex: Int { fields.startIndex }
    /// One past the index of the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at `index`.
    public subscript(index: Int) -> Field { fields[index] }

    /// The value of the first field called `name`.
    public subscript(name: String) -> String? {
        fields.first { $0.isCalled(name) }?.value
    }

    /// The values of every field called `name`.
    public func values(of name: String) -> [String] {
        fields.filter { $0.isCalled(name) }.map(\.value)
    }

    /// Adds a field after the others.
    public mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Adds `text` to the value of the last field, as a folded line does.
    mutating func continueLast(_ text: String) {
        guard let last = fields.popLast() else { return }
        fields.append(Field(last.name, last.value.isEmpty ? text : text.isEmpty ? last.value : "\(last.value) \(text)"))
    }

    /// These fields, and those of `others` in place of what is called the same here.
    func updated(with others: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(fields.filter { others[$0.name] == nil } + others.fields)
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The fields of a literal, in its order.
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
    /// The lower-case letter, where this is an upper-case one of ASCII.
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
