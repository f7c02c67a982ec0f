/// Stores what sinks are about to write, several events at once, so that it survives a kill.
package protocol BatchStore: Sendable {
    /// What is stored, by sink, its parts in their order.
    func all() -> [String: [[UInt8]]]

    /// Stores these parts, each in the first place of its sink, in place of all that is stored.
    func replaceAll(with parts: [String: [UInt8]])

    /// Stores a part in its place, and removes those after it. Returns when it is stored, or cannot be now.
    func store(_ part: [UInt8], at place: Int, of sink: String)
}
