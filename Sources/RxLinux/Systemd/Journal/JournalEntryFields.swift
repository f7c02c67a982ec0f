/// The fields of an entry of a journal, within limits: a file that journald has not written may have any.
struct JournalEntryFields {
    /// The bytes of the names and values of an entry together from which on fields are added without their values.
    static let limit = 1 << 20
    /// The most fields of an entry. journald accepts 1,024, and adds its own.
    static let maximum = 2048
    /// The most bytes of a name that journald accepts.
    private static let nameLimit = 64

    private(set) var list: [JournalField] = []
    /// The names of fields whose value was cut.
    private(set) var truncated: Set<String> = []
    private let valueLimit: Int
    private var rest = Self.limit

    init(valueLimit: Int) {
        self.valueLimit = valueLimit
        list.reserveCapacity(32)
    }

    /// Whether no further field is added.
    var isFull: Bool { list.count >= Self.maximum }

    /// Adds a field of the form `NAME=value`, unless it has no name that journald accepts. The value is cut to what the limits
    /// leave of it.
    mutating func add(_ data: UnsafeRawBufferPointer) {
        guard !isFull, let equals = data.prefix(Self.nameLimit + 1).firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
            return
        }
        let name = String(decoding: data[..<equals], as: UTF8.self)
        let value = data[(equals + 1)...]
        rest = max(0, rest - equals)
        let limit = min(valueLimit, rest)
        if value.count > limit { truncated.insert(name) }
        let kept = Array(value.prefix(limit))
        rest -= kept.count
        list.append(JournalField(name, bytes: kept))
    }
}
