internal import CJQ
import RxEngine
import RxJSON

// Unchecked: the lock guards all mutable state.
/// A value as JSON, as jq has it, made of others, or several of these.
final class JQBox: @unchecked Sendable {
    /// What a value is made of.
    enum Parts: Sendable {
        case array([JQValue])
        case object([(String, JQValue)])
        /// An object with a member set to another value.
        case changed(JQValue, key: String, JQValue)
    }

    private struct Native {
        let raw: jv
        let arena: JQArena
    }

    private let parts: Parts?
    private let lock = Lock()
    // Below: guarded by the lock. Both are set once; the value itself is used under the lock of its arena.
    private var converted: JSON?
    private var native: Native?

    init(_ json: JSON) {
        converted = json
        parts = nil
    }

    init(_ parts: Parts) {
        self.parts = parts
    }

    /// Takes over a value of the arena.
    init(_ value: consuming JV, _ arena: JQArena) {
        native = Native(raw: value.take(), arena: arena)
        parts = nil
    }

    deinit {
        if let native { native.arena.free(native.raw) }
    }

    private var known: (json: JSON?, native: Native?) { lock.locked { (converted, native) } }

    var json: JSON {
        let (known, native) = known
        if let known { return known }
        // What jq has was looked through when it was made: it is not nested too deep.
        let json =
            parts?.json ?? native.map { native in native.arena.use { (try? JV(copying: native.raw).json()) ?? .null } }
            ?? .null
        return lock.locked {
            converted = converted ?? json
            return json
        }
    }

    var isObject: Bool {
        if let parts { return parts.isObject }
        let (json, native) = known
        return json.map { $0.object != nil } ?? native.map { jv_get_kind($0.raw) == JV_KIND_OBJECT } ?? false
    }

    subscript(key: String) -> JQValue? {
        if let parts { return parts[key] }
        let (json, native) = known
        if let json { return json[key].map { JQValue($0) } }
        return native.flatMap { native in
            native.arena.use {
                guard let member = JV(copying: native.raw).member(key) else { return nil }
                return try? JQValue(member, in: native.arena)
            }
        }
    }

    func isUsable(in arena: JQArena) -> Bool {
        let (json, native) = known
        return json != nil || native?.arena === arena || parts?.isUsable(in: arena) == true
    }

    /// The value in an arena that is in use. What is made of JSON stays there for the next expression.
    func raw(in arena: JQArena) -> JV {
        let (json, native) = known
        if let native, native.arena === arena { return JV(copying: native.raw) }
        let made = if let json { JV(json) } else { parts?.raw(in: arena) ?? JV(.null) }
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

    func isEqual(to other: JQBox) -> Bool {
        if self === other { return true }
        let (mine, theirs) = (known.native, other.known.native)
        guard let mine, let theirs, mine.arena === theirs.arena else { return json == other.json }
        return mine.arena.use { jv_equal(jv_copy(mine.raw), jv_copy(theirs.raw)) != 0 }
    }
}

extension JQBox.Parts {
    var json: JSON {
        switch self {
        case .array(let elements): return .array(elements.map(\.json))
        case .object(let members):
            return .object(JSON.Object(uniqueKeysWithValues: members.map { ($0, $1.json) }))
        case .changed(let object, let key, let value):
            var json = object.json
            json[key] = value.json
            return json
        }
    }

    var isObject: Bool { if case .array = self { false } else { true } }

    subscript(key: String) -> JQValue? {
        switch self {
        case .array: nil
        case .object(let members): members.first { $0.0.utf8.elementsEqual(key.utf8) }?.1
        case .changed(let object, let changed, let value):
            changed.utf8.elementsEqual(key.utf8) ? value : object[key]
        }
    }

    func isUsable(in arena: JQArena) -> Bool {
        switch self {
        case .array(let elements): elements.allSatisfy { $0.isUsable(in: arena) }
        case .object(let members): members.allSatisfy { $1.isUsable(in: arena) }
        case .changed(let object, _, let value): object.isUsable(in: arena) && value.isUsable(in: arena)
        }
    }

    func raw(in arena: JQArena) -> JV {
        switch self {
        case .array(let elements): JV(array: elements, in: arena)
        case .object(let members): JV(object: members, in: arena)
        case .changed(let object, let key, let value): JV(object.raw(in: arena), setting: key, to: value, in: arena)
        }
    }
}
