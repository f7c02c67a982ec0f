/// Stores what sinks are about to write, several events at once, so that it survives a kill.
package protocol BatchStore: Sendable {
    /// What is stored, by sink, its parts in their order.
    func all() -> [String: [[UInt8]]]

    /// Stores these parts, each in the first place of its sink, in place of all that is stored: that is removed in any
    /// case.
    func replaceAll(with parts: [String: [UInt8]])

    /// Stores a part in its place, and removes those after it; without a part, removes the one there, too. Returns when
    /// that is done, or cannot be now.
    func store(_ part: [UInt8]?, at place: Int, of sink: String)
}
