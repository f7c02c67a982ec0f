/// What a kill may do: what sinks did after the last snapshot was with values of that process, and a ticker that is killed has
/// not emitted what no snapshot has.
struct Tolerance {
    /// Whether the daemon is told to reload before it is ready: it loses the changes to files that are on their way then.
    static let reloadsBeforeReady = false

    let cuts: ArraySlice<Cut>

    /// Whether a sink may have acted on an event with another value, or have it in its spool: it was given it before a kill, no
    /// snapshot had the event, and that came again after others.
    func mayHaveOtherValue(_ id: String, at key: String) -> Bool {
        cuts.contains { cut in
            cut.isKill && !cut.seen.contains(id)
                && (cut.acts[key].contains { sourceID($0.id) == id } || cut.saved.spooled[key]?.contains(id) == true)
        }
    }

    /// Whether sinks may have acted on an event that no snapshot has: the process was killed before it was saved, and what
    /// led to it comes again.
    func mayBeUnsaved(_ id: String, at key: String) -> Bool {
        cuts.contains { cut in
            cut.isKill && !cut.seen.contains(sourceID(id))
                && (cut.acts[key].contains { $0.id == id } || cut.saved.spooled[key]?.contains(sourceID(id)) == true)
        }
    }
}
