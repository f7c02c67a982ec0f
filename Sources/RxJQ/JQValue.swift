internal import CJQ
import RxEngine
import RxJSON

/// A value that stays in jq's representation from one expression to the next. It is converted to JSON once, when that
/// is asked for.
package struct JQValue: Sendable {
    fileprivate enum Content: Sendable {
        /// Null, a boolean, a number or a short string; any value that expressions have not been run on.
        case plain(JSON)
        case box(JQBox)
    }

    fileprivate let content: Content

    /// A value that is converted for each expression.
    package static func plain(_ json: consuming JSON) -> JQValue { JQValue(content: .plain(json)) }

    private init(content: Content) {
        self.content = content
    }

    /// An array of values, each of which stays as it is until one representation of them all is asked for.
    package init(_ elements: [JQValue]) {
        self.init(content: .box(JQBox(.array(elements))))
    }

    /// An object of values. The keys must differ: nothing checks them.
    package init(uniqueKeysWithValues members: [(String, JQValue)]) {
        self.init(content: .box(JQBox(.object(members))))
    }

    /// An object with one member set to another value.
    package func setting(_ key: String, to value: JQValue) -> JQValue {
        JQValue(content: .box(JQBox(.changed(self, key: key, value))))
    }

    package init(_ json: JSON) {
        content =
            switch json {
            case .null, .bool, .number: .plain(json)
            case .string(let text) where text.utf8.count <= Self.shortString: .plain(json)
            default: .box(JQBox(json))
            }
    }

    /// Keeps a value of an arena that is in use.
    init(_ value: borrowing JV, in arena: JQArena) throws(JQError) {
        content =
            if try value.isExact, !value.isScalar(shortString: Self.shortString) {
                .box(JQBox(value.copy(), arena))
            } else {
                .plain(try value.json())
            }
    }

    private static let shortString = 15

    package static let null = plain(.null)

    package var json: JSON {
        switch content {
        case .plain(let json): json
        case .box(let box): box.json
        }
    }

    /// Whether jq takes it for true.
    package var isTruthy: Bool { if case .plain(let json) = content { json.isTruthy } else { true } }

    package var isObject: Bool {
        switch content {
        case .plain(let json): json.object != nil
        case .box(let box): box.isObject
        }
    }

    /// The value under a key; `nil` if there is none or this is no object.
    package subscript(key: String) -> JQValue? {
        switch content {
        case .plain(let json): json[key].map { JQValue($0) }
        case .box(let box): box[key]
        }
    }

    package var isNull: Bool { if case .plain(.null) = content { true } else { false } }

    /// Makes sure that the value can be used in an arena, if it was made in another.
    func convert(for arena: JQArena) {
        if case .box(let box) = content, !box.isUsable(in: arena) { _ = box.json }
    }

    func isUsable(in arena: JQArena) -> Bool {
        if case .box(let box) = content { box.isUsable(in: arena) } else { true }
    }

    /// The value in an arena that is in use.
    func raw(in arena: JQArena) -> JV {
        switch content {
        case .plain(let json): JV(json)
        case .box(let box): box.raw(in: arena)
        }
    }
}

extension JQValue: Equatable {
    /// As of their JSON; values of one arena are not converted for it.
    package static func == (left: JQValue, right: JQValue) -> Bool {
        if case .box(let left) = left.content, case .box(let right) = right.content { return left.isEqual(to: right) }
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
