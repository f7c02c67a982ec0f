import CLinux
import RxEngine

/// The call stack of the current thread.
public enum CallStack {
    /// The most calls to return.
    private static let depth = 64

    /// The descriptions of return addresses, cached since finding a symbol searches all symbols of its file.
    private static let places = SymbolCache()

    /// Returns the current calls, the innermost first, each as `FILE+OFFSET` and the function's symbol.
    ///
    /// The symbol is there if the file has symbols. `addr2line -e FILE OFFSET` finds the line, if there are debug
    /// symbols.
    @inline(never)
    public static func current() -> [String] {
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: depth)
        let count = Int(backtrace(&frames, Int32(frames.count)))
        // Leave out the frame of this function.
        return frames.prefix(count).dropFirst().compactMap { $0.map(places.description(of:)) }
    }

    // Unchecked: the lock guards all mutable state.
    /// A cache of the descriptions of code addresses.
    private final class SymbolCache: @unchecked Sendable {
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
