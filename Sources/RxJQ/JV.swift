internal import CJQ
import RxJSON

/// The wall around jq's values: owns one, and frees it when it goes.
///
/// jq counts references without atomics, so a value must never be reached from two threads. None leaves this folder:
/// what goes in and out is `JSON`, and every conversion makes a value of its own; or it is a ``JQValue``, which is used
/// under the lock of its arena.
struct JV: ~Copyable {
    private let raw: jv

    /// Takes over a reference.
    init(owning raw: jv) {
        self.raw = raw
    }

    deinit {
        jv_free(raw)
    }

    /// Another reference to a value.
    init(copying raw: jv) {
        self.init(owning: jv_copy(raw))
    }

    borrowing func copy() -> JV { JV(copying: raw) }

    /// Hands the reference to a function that consumes it.
    consuming func take() -> jv {
        let raw = raw
        discard self
        return raw
    }

    /// jq's parser, on exactly one value.
    init(parsing bytes: [UInt8]) {
        let raw = bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { jv_parse_sized($0.baseAddress, Int32(clamping: $0.count)) }
        }
        self.init(owning: raw)
    }

    init(_ json: JSON) {
        self.init(owning: Self.raw(json))
    }

    /// An array of a number, where there is one, a value, and those that variables stand for.
    init(_ number: Int?, _ json: JSON, _ variables: [String], _ values: [String: JSON]) {
        var array = jv_array_sized(Int32(clamping: variables.count + 2))
        if let number { array = jv_array_append(array, jv_number(Double(number))) }
        array = jv_array_append(array, Self.raw(json))
        for variable in variables { array = jv_array_append(array, values[variable].map(Self.raw) ?? jv_null()) }
        self.init(owning: array)
    }

    init(_ value: JQValue, in arena: JQArena) {
        self = value.raw(in: arena)
    }

    /// An array of a value, and those that variables stand for, in an arena that is in use.
    init(_ value: JQValue, _ variables: [String], _ values: [String: JQValue], in arena: JQArena) {
        var array = jv_array_sized(Int32(clamping: variables.count + 1))
        array = jv_array_append(array, value.raw(in: arena).take())
        for variable in variables {
            array = jv_array_append(array, values[variable]?.raw(in: arena).take() ?? jv_null())
        }
        self.init(owning: array)
    }

    /// An array, in an arena that is in use.
    init(array elements: [JQValue], in arena: JQArena) {
        self.init(
            owning: elements.reduce(jv_array_sized(Int32(clamping: elements.count))) {
                jv_array_append($0, $1.raw(in: arena).take())
            })
    }

    /// An object, in an arena that is in use.
    init(object members: [(String, JQValue)], in arena: JQArena) {
        self.init(
            owning: members.reduce(jv_object()) { jv_object_set($0, Self.raw($1.0), $1.1.raw(in: arena).take()) })
    }

    /// An object with one member set to another value, in an arena that is in use.
    init(_ object: consuming JV, setting key: String, to value: JQValue, in arena: JQArena) {
        self.init(owning: jv_object_set(object.take(), Self.raw(key), value.raw(in: arena).take()))
    }

    /// The value under a key; `nil` if there is none or this is no object.
    borrowing func member(_ key: String) -> JV? {
        guard jv_get_kind(raw) == JV_KIND_OBJECT else { return nil }
        let value = JV(owning: jv_object_get(jv_copy(raw), Self.raw(key)))
        return value.isValid ? consume value : nil
    }

    /// False for jq's "invalid", which stands for the end of outputs or carries an error.
    var isValid: Bool { jv_get_kind(raw) != JV_KIND_INVALID }

    /// The message an invalid value carries; nil when it is only the end. jq takes a message of `null` for none.
    consuming func errorMessage() -> JV? {
        let message = JV(owning: jv_invalid_get_msg(take()))
        return jv_get_kind(message.raw) == JV_KIND_NULL ? nil : consume message
    }

    /// The deepest nesting of arrays and objects that is taken out of jq, which is also the deepest its parser reads.
    static let maximumDepth = 256

    func isScalar(shortString limit: Int) -> Bool {
        switch jv_get_kind(raw) {
        case JV_KIND_ARRAY, JV_KIND_OBJECT: false
        case JV_KIND_STRING: jv_string_length_bytes(jv_copy(raw)) <= limit
        default: true
        }
    }

    /// Whether the value is the same once it was converted to JSON and back, which it is unless it has a number that is
    /// not finite.
    var isExact: Bool { get throws(JQError) { try Self.isExact(raw, depth: 0) } }

    private static func isExact(_ raw: jv, depth: Int) throws(JQError) -> Bool {
        switch jv_get_kind(raw) {
        case JV_KIND_NUMBER:
            try checkDepth(depth)
            return jv_number_value(raw).isFinite
        case JV_KIND_ARRAY:
            try checkDepth(depth)
            for index in 0..<jv_array_length(jv_copy(raw)) {
                let element = JV(owning: jv_array_get(jv_copy(raw), index))
                if try !isExact(element.raw, depth: depth + 1) { return false }
            }
            return true
        case JV_KIND_OBJECT:
            try checkDepth(depth)
            var iterator = jv_object_iter(raw)
            while jv_object_iter_valid(raw, iterator) != 0 {
                let value = JV(owning: jv_object_iter_value(raw, iterator))
                if try !isExact(value.raw, depth: depth + 1) { return false }
                iterator = jv_object_iter_next(raw, iterator)
            }
            return true
        default:
            try checkDepth(depth)
            return true
        }
    }

    private static func checkDepth(_ depth: Int) throws(JQError) {
        if depth > maximumDepth { throw JQError("a value is nested deeper than \(maximumDepth) levels") }
    }

    func json() throws(JQError) -> JSON {
        try Self.json(raw, depth: 0)
    }

    private static func json(_ raw: jv, depth: Int) throws(JQError) -> JSON {
        try checkDepth(depth)
        switch jv_get_kind(raw) {
        case JV_KIND_TRUE: return true
        case JV_KIND_FALSE: return false
        case JV_KIND_NUMBER: return number(jv_number_value(raw))
        case JV_KIND_STRING: return .string(string(raw))
        case JV_KIND_ARRAY:
            var values: [JSON] = []
            let count = jv_array_length(jv_copy(raw))
            values.reserveCapacity(Int(count))
            for index in 0..<count {
                let element = JV(owning: jv_array_get(jv_copy(raw), index))
                values.append(try json(element.raw, depth: depth + 1))
            }
            return .array(values)
        case JV_KIND_OBJECT:
            var members: [(String, JSON)] = []
            var iterator = jv_object_iter(raw)
            while jv_object_iter_valid(raw, iterator) != 0 {
                let key = JV(owning: jv_object_iter_key(raw, iterator))
                let value = JV(owning: jv_object_iter_value(raw, iterator))
                members.append((string(key.raw), try json(value.raw, depth: depth + 1)))
                iterator = jv_object_iter_next(raw, iterator)
            }
            return .object(JSON.Object(uniqueKeysWithValues: members))
        default: return .null
        }
    }

    /// What the number would be once printed and read again: JSON knows neither infinity nor "not a number".
    private static func number(_ value: Double) -> JSON {
        if value.isNaN { return .null }
        return .number(min(max(value, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
    }

    private static func string(_ raw: jv) -> String {
        let count = Int(jv_string_length_bytes(jv_copy(raw)))
        guard let start = jv_string_value(raw) else { return "" }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }

    private static func raw(_ json: JSON) -> jv {
        switch json {
        case .null: return jv_null()
        case .bool(let value): return jv_bool(value ? 1 : 0)
        case .number(let value): return jv_number(value)
        case .string(let value): return raw(value)
        case .array(let values):
            return values.reduce(jv_array_sized(Int32(clamping: values.count))) { jv_array_append($0, raw($1)) }
        case .object(let object):
            return object.members.reduce(jv_object()) { jv_object_set($0, raw($1.key), raw($1.value)) }
        }
    }

    private static func raw(_ text: String) -> jv {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { jv_string_sized($0.baseAddress, Int32(clamping: $0.count)) }
        }
    }
}
