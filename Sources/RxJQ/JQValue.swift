internal import CJQ
import RxEngine
import RxJSON

/// A value that keeps jq's representation between expressions, and is converted to JSON once, on demand.
package struct JQValue: Sendable {
    /// The representation of a value: JSON, or a jq value that threads share.
    fileprivate enum Content: Sendable {
        /// A null, boolean, number or short string, or a value that `plain(_:)` was given.
        case plain(JSON)
        case shared(JQSharedValue)
    }

    fileprivate let content: Content

    /// Creates a value that is converted anew for each expression.
    package static func plain(_ json: consuming JSON) -> JQValue { JQValue(content: .plain(json)) }

    private init(content: Content) {
        self.content = content
    }

    /// Creates an array of values, which keep their representations until the whole array is converted.
    package init(_ elements: [JQValue]) {
        self.init(content: .shared(JQSharedValue(.array(elements))))
    }

    /// Creates an object. The keys must differ, which is not checked.
    package init(uniqueKeysWithValues members: [(String, JQValue)]) {
        self.init(content: .shared(JQSharedValue(.object(members))))
    }

    /// Returns a copy of the object with one member replaced or added.
    package func setting(_ key: String, to value: JQValue) -> JQValue {
        JQValue(content: .shared(JQSharedValue(.changed(self, key: key, value))))
    }

    /// Creates a value from JSON.
    ///
    /// - Parameters:
    ///   - json: the value.
    ///   - memory: the bytes of memory that the value takes; 0 if that is unknown.
    package init(_ json: JSON, memory: Int = 0) {
        content =
            switch json {
            case .null, .bool, .number: .plain(json)
            case .string(let text) where text.utf8.count <= Self.shortString: .plain(json)
            default: .shared(JQSharedValue(json, memory: memory))
            }
    }

    /// Keeps a jq value if it is large and exact, and converts it to JSON otherwise. The caller holds the arena's lock.
    init(_ value: borrowing JV, in arena: JQArena, isExact: Bool, memory: Int = 0) throws(JQError) {
        content =
            if isExact, !value.isScalar(shortString: Self.shortString) {
                .shared(JQSharedValue(value.copy(), arena, memory: memory))
            } else {
                .plain(try value.json())
            }
    }

    private static let shortString = 15

    package static let null = plain(.null)

    package var json: JSON {
        switch content {
        case .plain(let json): json
        case .shared(let shared): shared.json
        }
    }

    /// An upper estimate, in bytes, of the memory of an output, or of a value composed of outputs.
    ///
    /// It is 0 for any other value.
    package var memory: Int { if case .shared(let shared) = content { shared.memory } else { 0 } }

    /// Whether jq treats the value as true, which is every value but `null` and `false`.
    package var isTruthy: Bool { if case .plain(let json) = content { json.isTruthy } else { true } }

    package var isObject: Bool {
        switch content {
        case .plain(let json): json.object != nil
        case .shared(let shared): shared.isObject
        }
    }

    /// The value for a key; `nil` if there is none or this value is not an object.
    package subscript(key: String) -> JQValue? {
        switch content {
        case .plain(let json): json[key].map { JQValue($0) }
        case .shared(let shared): shared[key]
        }
    }

    /// Subtracts the approximate size of the value in bytes from `left`; returns false as soon as `left` is exceeded.
    func takes(from left: inout Int) -> Bool {
        switch content {
        case .plain(let json): json.takes(from: &left)
        case .shared(let shared): shared.takes(from: &left)
        }
    }

    package var isNull: Bool { if case .plain(.null) = content { true } else { false } }

    /// Converts the value to JSON if it belongs to another arena, so that it can be used in `arena`.
    func convert(for arena: JQArena) {
        if case .shared(let shared) = content, !shared.isUsable(in: arena) { _ = shared.json }
    }

    func isUsable(in arena: JQArena) -> Bool {
        if case .shared(let shared) = content { shared.isUsable(in: arena) } else { true }
    }

    /// Returns the jq value. The caller holds the arena's lock.
    func raw(in arena: JQArena) -> JV {
        switch content {
        case .plain(let json): JV(json)
        case .shared(let shared): shared.raw(in: arena)
        }
    }
}

extension JQValue: Equatable {
    /// Compares the values as JSON, without converting two jq values of the same arena.
    package static func == (left: JQValue, right: JQValue) -> Bool {
        if case .shared(let left) = left.content, case .shared(let right) = right.content {
            return left.isEqual(to: right)
        }
        return left.json == right.json
    }
}

extension JQValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JQValue...) {
        self.init(elements)
    }
}

extension JQValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral members: (String, JQValue)...) {
        self.init(uniqueKeysWithValues: members)
    }
}
