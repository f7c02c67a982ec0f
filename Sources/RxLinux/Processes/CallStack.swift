import CLinux
import RxEngine

/// Who called whom.
public enum CallStack {
    /// How many calls are looked at.
    private static let depth = 64

    /// What was found out about a place in the program stays true: looking for its symbol goes through all of a file's.
    private static let places = Places()

    /// The calls that have led here, the innermost first, each as `FILE+OFFSET`, with the function's symbol where the
    /// file tells. `addr2line -e FILE OFFSET` finds the line, with the file's debug symbols.
    @inline(never)
    public static func current() -> [String] {
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: depth)
        let count = Int(backtrace(&frames, Int32(frames.count)))
        // This function is nobody's interest.
        return frames.prefix(count).dropFirst().compactMap { $0.map(places.description(of:)) }
    }

    // Unchecked: what changes is behind the lock.
    private final class Places: @unchecked Sendable {
        private let lock = Lock()
        private var descriptions: [UnsafeMutableRawPointer: String] = [:]

        func description(of address: UnsafeMutableRawPointer) -> String {
            if let known = lock.locked({ descriptions[address] }) { return known }
            let description = describe(address)
            lock.locked { descriptions[address] = description }
            return description
        }
    }

    private static func describe(_ address: UnsafeMutableRawPointer) -> String {
        var symbol = rx_symbol()
        guard dladdr(address, &symbol) != 0, let base = symbol.base, let file = symbol.file else {
            return "0x\(String(UInt(bitPattern: address), radix: 16))"
        }
        let offset = UInt(bitPattern: address) - UInt(bitPattern: base)
        let name = symbol.name.map { " \(String(cString: $0))" } ?? ""
        return "\(String(cString: file))+0x\(String(offset, radix: 16))\(name)"
    }
}
