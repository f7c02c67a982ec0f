/// Stores what sinks are about to write, several events at once, so that it survives a kill.
package protocol BatchStore: Sendable {
    /// The parts that are stored for a sink, in their order.
    func parts(of sink: String) -> [[UInt8]]

    /// Stores a part in its place, and removes those after it. Returns when it is stored, or cannot be.
    func store(_ part: [UInt8], at place: Int, of sink: String)

    /// Removes the parts of all other sinks.
    func removeAll(except sinks: Set<String>)
}
