internal import CJQ
import RxEngine
import RxJSON

/// A value that stays in jq's representation from one expression to the next. It is converted to JSON once, when that
/// is asked for.
package struct JQValue: Sendable {
    private enum Content: Sendable {
        /// Null, a boolean, a number or a short string; any value that expressions have not been run on.
        case plain(JSON)
        case box(JQBox)
    }

    private let content: Content

    /// A value that is converted for each expression.
    package static func plain(_ json: consuming JSON) -> JQValue { JQValue(content: .plain(json)) }

    private init(content: Content) {
        self.content = content
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

    package var isNull: Bool { if case .plain(.null) = content { true } else { false } }

    /// Makes sure that the value can be used in an arena, if it was made in another.
    func convert(from arena: JQArena) {
        if case .box(let box) = content, !box.isUsable(in: arena) { _ = box.json }
    }

    /// The value in an arena that is in use.
    func raw(in arena: JQArena) -> JV {
        switch content {
        case .plain(let json): JV(json)
        case .box(let box): box.raw(in: arena)
        }
    }
}

// Unchecked: the lock guards all mutable state.
/// A value as JSON, as jq has it, or both.
private final class JQBox: @unchecked Sendable {
    private struct Native {
        let raw: jv
        let arena: JQArena
    }

    private let lock = Lock()
    // Below: guarded by the lock. Both are set once; the value itself is used under the lock of its arena.
    private var converted: JSON?
    private var native: Native?

    init(_ json: JSON) {
        converted = json
    }

    /// Takes over a value of the arena.
    init(_ value: consuming JV, _ arena: JQArena) {
        native = Native(raw: value.take(), arena: arena)
    }

    deinit {
        if let native { native.arena.free(native.raw) }
    }

    var json: JSON {
        let (known, native) = lock.locked { () -> (JSON?, Native?) in (converted, self.native) }
        if let known { return known }
        guard let native else { return .null }
        // It was looked through when it was made: it is not nested too deep.
        let json = native.arena.use { (try? JV(copying: native.raw).json()) ?? .null }
        return lock.locked {
            converted = converted ?? json
            return json
        }
    }

    func isUsable(in arena: JQArena) -> Bool {
        lock.locked { converted != nil || native?.arena === arena }
    }

    /// The value in an arena that is in use. What is made of JSON stays there for the next expression.
    func raw(in arena: JQArena) -> JV {
        let (json, native) = lock.locked { () -> (JSON?, Native?) in (converted, self.native) }
        if let native, native.arena === arena { return JV(copying: native.raw) }
        let made = JV(json ?? .null)
        if native == nil {
            let copy = Native(raw: made.copy().take(), arena: arena)
            let isKept = lock.locked {
                if self.native != nil { return false }
                self.native = copy
                return true
            }
            if !isKept { jv_free(copy.raw) }
        }
        return made
    }
}
