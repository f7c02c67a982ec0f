internal import CJQ
import RxEngine
import RxJSON

// Unchecked: the lock guards all mutable state.
/// A value that several threads share: as JSON, in jq's representation, as parts, or in several of these forms.
final class JQSharedValue: @unchecked Sendable {
    /// The other values that a value is composed of.
    enum Composition: Sendable {
        case array([JQValue])
        case object([(String, JQValue)])
        /// An object with one member replaced or added.
        case changed(JQValue, key: String, JQValue)
    }

    /// A value in jq's representation, and the arena that owns it.
    private struct ArenaValue {
        let raw: jv
        let arena: JQArena
    }

    private let parts: Composition?
    /// An upper estimate of the value's memory in bytes; 0 if it was not measured.
    let memory: Int
    private let lock = Lock()
    // The lock guards the two variables below. Each is set once. The jq value in `arenaValue` is used only under the
    // lock of its arena.
    private var converted: JSON?
    private var arenaValue: ArenaValue?

    init(_ json: JSON, memory: Int) {
        converted = json
        parts = nil
        self.memory = memory
    }

    init(_ parts: Composition) {
        self.parts = parts
        memory = parts.memory
    }

    /// Takes ownership of a value of the arena.
    init(_ value: consuming JV, _ arena: JQArena, memory: Int) {
        arenaValue = ArenaValue(raw: value.take(), arena: arena)
        parts = nil
        self.memory = memory
    }

    deinit {
        if let arenaValue { arenaValue.arena.free(arenaValue.raw) }
    }

    private var known: (json: JSON?, arenaValue: ArenaValue?) { lock.locked { (converted, arenaValue) } }

    var json: JSON {
        let (known, arenaValue) = known
        if let known { return known }
        // The conversion cannot fail: a jq value is checked for its depth when it is measured, before it gets here.
        let json =
            parts?.json ?? arenaValue.map { arenaValue in
                arenaValue.arena.use { (try? JV(copying: arenaValue.raw).json()) ?? .null }
            }
            ?? .null
        return lock.locked {
            converted = converted ?? json
            return json
        }
    }

    var isObject: Bool {
        if let parts { return parts.isObject }
        let (json, arenaValue) = known
        return json.map { $0.object != nil } ?? arenaValue.map { jv_get_kind($0.raw) == JV_KIND_OBJECT } ?? false
    }

    subscript(key: String) -> JQValue? {
        if let parts { return parts[key] }
        let (json, arenaValue) = known
        if let json { return json[key].map { JQValue($0) } }
        return arenaValue.flatMap { arenaValue in
            arenaValue.arena.use {
                guard let member = JV(copying: arenaValue.raw).member(key) else { return nil }
                // A value is stored in jq's representation only if it is exact, and then its members are, too.
                return try? JQValue(member, in: arenaValue.arena, isExact: true)
            }
        }
    }

    func takes(from left: inout Int) -> Bool {
        if let parts { return parts.takes(from: &left) }
        let (json, arenaValue) = known
        if let json { return json.takes(from: &left) }
        guard let arenaValue else { return true }
        var measure = JVMeasure(limit: max(0, left))
        let fits = arenaValue.arena.use { (try? JV(copying: arenaValue.raw).add(to: &measure)) != nil }
        left = fits ? measure.left : -1
        return fits
    }

    func isUsable(in arena: JQArena) -> Bool {
        let (json, arenaValue) = known
        return json != nil || arenaValue?.arena === arena || parts?.isUsable(in: arena) == true
    }

    /// Returns the jq value, and caches it for the next expression. The caller holds the arena's lock.
    func raw(in arena: JQArena) -> JV {
        let (json, arenaValue) = known
        if let arenaValue, arenaValue.arena === arena { return JV(copying: arenaValue.raw) }
        let made = if let json { JV(json) } else { parts?.raw(in: arena) ?? JV(.null) }
        if arenaValue == nil {
            let copy = ArenaValue(raw: made.copy().take(), arena: arena)
            let isKept = lock.locked {
                if self.arenaValue != nil { return false }
                self.arenaValue = copy
                return true
            }
            if !isKept { jv_free(copy.raw) }
        }
        return made
    }

    func isEqual(to other: JQSharedValue) -> Bool {
        if self === other { return true }
        let (mine, theirs) = (known.arenaValue, other.known.arenaValue)
        guard let mine, let theirs, mine.arena === theirs.arena else { return json == other.json }
        return mine.arena.use { jv_equal(jv_copy(mine.raw), jv_copy(theirs.raw)) != 0 }
    }
}

extension JQSharedValue.Composition {
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

    /// The sum of the parts' memory in bytes, without those that were not measured.
    var memory: Int {
        switch self {
        case .array(let elements):
            elements.reduce(JSON.MemoryOfPart.array) { $0 + JSON.MemoryOfPart.element + $1.memory }
        case .object(let members):
            members.reduce(JSON.MemoryOfPart.object) { $0 + JSON.MemoryOfPart.member + $1.1.memory }
        case .changed(let object, _, let value): object.memory + JSON.MemoryOfPart.member + value.memory
        }
    }

    subscript(key: String) -> JQValue? {
        switch self {
        case .array: nil
        case .object(let members): members.first { $0.0.utf8.elementsEqual(key.utf8) }?.1
        case .changed(let object, let changed, let value):
            changed.utf8.elementsEqual(key.utf8) ? value : object[key]
        }
    }

    func takes(from left: inout Int) -> Bool {
        switch self {
        case .array(let elements): return elements.allSatisfy { $0.takes(from: &left) }
        case .object(let members): return members.allSatisfy { $1.takes(from: &left) }
        case .changed(let object, _, let value):
            return object.takes(from: &left) && value.takes(from: &left)
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
