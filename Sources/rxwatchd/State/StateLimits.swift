import RxJSON
import RxLinux
import RxStore

/// The limits on what is read of the state of the previous process: a command of the daemon could have written it.
struct StateLimits: Sendable {
    /// The largest row of a database, in bytes.
    let row: Int
    /// The most memory that the values of one row may take, in bytes, estimated from above.
    let values: Int
    /// Whether there is memory for values that take this much.
    let hasRoom: @Sendable (Int) -> Bool

    /// The memory of values after which the room is checked again.
    private static let portion = 1 << 20

    /// Shares of the memory limit of the unit. The process before had what it has stored in its memory, too, and refuses
    /// large values from three eighths on.
    static let ofDaemon = StateLimits(row: MemoryLimit.ofUnit / 8, values: MemoryLimit.ofUnit / 4) {
        AllocatedMemory.byteCount + $0 <= MemoryLimit.ofUnit / 8 * 5
    }

    /// Calls `body` with each row of a query, as long as there is memory for it.
    ///
    /// - Returns: whether these were all rows.
    /// - Throws: damage if the values of one row would take too much.
    func read(
        _ query: String, in database: Database, _ body: ([DatabaseValue]) -> Void
    ) throws(DatabaseError) -> Bool {
        var (isWhole, pending) = (true, 0)
        try database.read(query) { row throws(DatabaseError) in
            let memory = Self.memory(of: row)
            guard memory <= values else { throw .damage("a row would take more memory than the limit") }
            pending += memory
            if pending >= Self.portion {
                isWhole = hasRoom(memory)
                pending = 0
            }
            if isWhole { body(row) }
            return isWhole
        }
        return isWhole
    }

    /// The memory of the values of a row, in bytes, estimated from above.
    static func memory(of row: [DatabaseValue]) -> Int { row.reduce(0) { $0 + $1.memory } }
}

extension DatabaseValue {
    /// The memory of the value, and of the JSON that it encodes.
    fileprivate var memory: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text): JSON.MemoryOfPart.string(text.utf8.count)
        case .blob(let bytes): max(bytes.count, JSON.memory(parsing: bytes))
        }
    }
}
