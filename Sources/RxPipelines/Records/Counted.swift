/// How many of something there are, for a message: "1 event", "2 events".
///
/// - Parameter plural: what several are called, unless that is the noun with an "s".
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
