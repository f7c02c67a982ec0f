import RxJSON

/// The effect of a reload on the sinks of a pipeline, by their names. Other sinks of the new configuration start, and
/// other sinks of the old one end.
struct SinkChanges: Equatable {
    /// The sinks that are carried over unchanged.
    let carried: Set<String>
    /// The sinks that new ones of the same name replace; these take over the waiting events.
    let replaced: Set<String>

    /// - Parameters:
    ///   - sinks: the texts of the old sinks, by their names.
    ///   - others: the texts of the new sinks, by their names.
    ///   - isSameNode: whether the pipeline is the same except for its sinks.
    init(from sinks: [String: String], to others: [String: String], isSameNode: Bool) {
        // Texts that are canonically equivalent can be names of different files.
        carried = Set(others.filter { isSameNode && sinks[$0]?.hasSameBytes(as: $1) == true }.keys)
        replaced = Set(others.keys).intersection(sinks.keys).subtracting(carried)
    }
}
