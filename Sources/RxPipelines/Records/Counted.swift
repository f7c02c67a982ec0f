/// A number with a noun, for a message: "1 event", "2 events".
///
/// - Parameters:
///   - count: the number.
///   - noun: the singular.
///   - plural: the plural; `nil` if it is the singular with an "s".
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
}

extension Collection<SourceEvent> {
    /// The ids of the first few, for a message: "tick:k3f9:3, tick:k3f9:4, tick:k3f9:5 and 7 more".
    package var names: String {
        let names = prefix(3).map(\.id).joined(separator: ", ")
        return names + (count > 3 ? " and \(count - 3) more" : "")
    }
}

/// An amount of memory, for a message: "18 MiB", "640 KiB", "300 bytes".
package func memoryText(_ byteCount: Int) -> String {
    switch byteCount {
    case ..<(1 << 10): counted(byteCount, "byte")
    case ..<(1 << 20): "\(byteCount >> 10) KiB"
    default: "\(byteCount >> 20) MiB"
    }
}
