/// Stores the batches that sinks are about to write, so that they survive a kill. A batch consists of numbered parts.
package protocol BatchStore: Sendable {
    /// The stored parts by sink, in their order.
    func all() -> [String: [[UInt8]]]

    /// Removes everything, and stores these parts, each as the first one of its sink. The removal happens even if
    /// storing fails.
    func replaceAll(with parts: [String: [UInt8]])

    /// Stores a part at an index, and removes those after it. Without a part, removes the one at the index, too. Returns
    /// when that is done, or has failed.
    func store(_ part: [UInt8]?, at index: Int, of sink: String)
}
