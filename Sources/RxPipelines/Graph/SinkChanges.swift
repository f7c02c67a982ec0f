/// What a reload does with the sinks of a pipeline, by their names. The others of the new config begin, the others of
/// the old one end.
struct SinkChanges: Equatable {
    /// They go on as they are.
    let carried: Set<String>
    /// They end, and others of their names go on with what they leave.
    let replaced: Set<String>

    /// - Parameters:
    ///   - sinks: what the old config said of the sinks, and what the new one says, by their names.
    ///   - isSameNode: whether the pipeline is the same but for its sinks.
    init(from sinks: [String: String], to others: [String: String], isSameNode: Bool) {
        carried = Set(others.filter { isSameNode && sinks[$0] == $1 }.keys)
        replaced = Set(others.keys).intersection(sinks.keys).subtracting(carried)
    }
}
