internal import CJQ
import RxJSON

/// An owned reference to a jq value, released when this value is destroyed.
///
/// jq counts references without atomics, so two threads must never use one value. No jq value leaves this folder: its
/// interface is `JSON`, which every conversion copies, and ``JQValue``, which is used under the lock of its arena.
struct JV: ~Copyable {
    private let raw: jv

    /// Takes ownership of a reference.
    init(owning raw: jv) {
        self.raw = raw
    }

    deinit {
        jv_free(raw)
    }

    /// Retains a value.
    init(copying raw: jv) {
        self.init(owning: jv_copy(raw))
    }

    borrowing func copy() -> JV { JV(copying: raw) }

    /// Gives up the reference, to pass it to a function that consumes it.
    consuming func take() -> jv {
        let raw = raw
        discard self
        return raw
    }

    /// Parses exactly one value with jq's parser.
    init(parsing bytes: [UInt8]) {
        let raw = bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { jv_parse_sized($0.baseAddress, Int32(clamping: $0.count)) }
        }
        self.init(owning: raw)
    }

    init(_ json: JSON) {
        self.init(owning: Self.raw(json))
    }

    /// Creates an array of an optional number, a value and the values of `variables`.
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

    /// Creates an array of a value and the values of `variables`. The caller holds the arena's lock.
    init(_ value: JQValue, _ variables: [String], _ values: [String: JQValue], in arena: JQArena) {
        var array = jv_array_sized(Int32(clamping: variables.count + 1))
        array = jv_array_append(array, value.raw(in: arena).take())
        for variable in variables {
            array = jv_array_append(array, values[variable]?.raw(in: arena).take() ?? jv_null())
        }
        self.init(owning: array)
    }

    /// Creates an array. The caller holds the arena's lock.
    init(array elements: [JQValue], in arena: JQArena) {
        self.init(
            owning: elements.reduce(jv_array_sized(Int32(clamping: elements.count))) {
                jv_array_append($0, $1.raw(in: arena).take())
            })
    }

    /// Creates an object. The caller holds the arena's lock.
    init(object members: [(String, JQValue)], in arena: JQArena) {
        self.init(
            owning: members.reduce(jv_object()) { jv_object_set($0, Self.raw($1.0), $1.1.raw(in: arena).take()) })
    }

    /// Creates a copy of an object with one member replaced or added. The caller holds the arena's lock.
    init(_ object: consuming JV, setting key: String, to value: JQValue, in arena: JQArena) {
        self.init(owning: jv_object_set(object.take(), Self.raw(key), value.raw(in: arena).take()))
    }

    /// Returns the value for a key; `nil` if there is none or this value is not an object.
    borrowing func member(_ key: String) -> JV? {
        guard jv_get_kind(raw) == JV_KIND_OBJECT else { return nil }
        let value = JV(owning: jv_object_get(jv_copy(raw), Self.raw(key)))
        return value.isValid ? consume value : nil
    }

    /// False for jq's "invalid", which marks the end of outputs or carries an error.
    var isValid: Bool { jv_get_kind(raw) != JV_KIND_INVALID }

    /// Returns the message of an invalid value; `nil` if it only marks the end. jq treats the message `null` as none.
    consuming func errorMessage() -> JV? {
        let message = JV(owning: jv_invalid_get_msg(take()))
        return jv_get_kind(message.raw) == JV_KIND_NULL ? nil : consume message
    }

    /// The deepest nesting of arrays and objects that is converted, which is also the limit of jq's parser.
    static let maximumDepth = 256

    func isScalar(shortString limit: Int) -> Bool {
        switch jv_get_kind(raw) {
        case JV_KIND_ARRAY, JV_KIND_OBJECT: false
        case JV_KIND_STRING: jv_string_length_bytes(jv_copy(raw)) <= limit
        default: true
        }
    }

    /// Adds the value to a measurement; throws if it exceeds the limit or is nested too deep.
    func add(to measure: inout JVMeasure) throws(JQError) { try Self.add(raw, to: &measure, depth: 0) }

    private static func add(_ raw: jv, to measure: inout JVMeasure, depth: Int) throws(JQError) {
        try checkDepth(depth)
        switch jv_get_kind(raw) {
        case JV_KIND_NUMBER: if !jv_number_value(raw).isFinite { measure.isExact = false }
        case JV_KIND_STRING:
            try measure.add(JSON.MemoryOfPart.string(Int(jv_string_length_bytes(jv_copy(raw)))))
        case JV_KIND_ARRAY:
            let count = jv_array_length(jv_copy(raw))
            try measure.add(JSON.MemoryOfPart.array + Int(count) * JSON.MemoryOfPart.element)
            for index in 0..<count {
                let element = JV(owning: jv_array_get(jv_copy(raw), index))
                try add(element.raw, to: &measure, depth: depth + 1)
            }
        case JV_KIND_OBJECT:
            try measure.add(JSON.MemoryOfPart.object)
            var iterator = jv_object_iter(raw)
            while jv_object_iter_valid(raw, iterator) != 0 {
                let key = JV(owning: jv_object_iter_key(raw, iterator))
                let value = JV(owning: jv_object_iter_value(raw, iterator))
                let length = Int(jv_string_length_bytes(jv_copy(key.raw)))
                try measure.add(JSON.MemoryOfPart.member + JSON.MemoryOfPart.string(length))
                try add(value.raw, to: &measure, depth: depth + 1)
                iterator = jv_object_iter_next(raw, iterator)
            }
        default: break
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

    /// Returns the number as jq would print and parse it: JSON has neither infinity nor "not a number".
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
