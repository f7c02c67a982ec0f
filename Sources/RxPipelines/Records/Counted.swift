/// How many of something there are, for a message: "1 event", "2 events".
///
/// - Parameter plural: what several are called, unless that is the noun with an "s".
package func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
}

extension Collection<SourceEvent> {
    /// What the first few are called, for a message: "tick:3, tick:4, tick:5 and 7 more".
    package var names: String {
        let names = prefix(3).map(\.cause).joined(separator: ", ")
        return names + (count > 3 ? " and \(count - 3) more" : "")
    }
}
