/// The permitted effects of a kill: the acts of sinks after the last snapshot had values of that process, and a killed
/// ticker has not emitted the events that no snapshot has.
struct Tolerance {
    let cuts: ArraySlice<Cut>

    /// Whether a sink may have acted on an event with another value, or have it in its spool: it received it before a
    /// kill, no snapshot had the event, and the event was redelivered after others.
    func mayHaveOtherValue(_ id: String, at key: String) -> Bool {
        cuts.contains { cut in
            cut.isKill && !cut.seen.contains(id)
                && (cut.acts[key].contains { sourceID($0.id) == id } || cut.saved.spooled[key]?.contains(id) == true)
        }
    }

    /// Whether sinks may have acted on an event that no snapshot has: the process was killed before it was saved, and
    /// its cause is emitted again.
    ///
    /// - Parameter spools: the sinks from whose spools the event may have come: the sink itself, and those that fail
    ///   into it.
    func mayBeUnsaved(_ id: String, at key: String, spools: [String]) -> Bool {
        cuts.contains { cut in
            cut.isKill && !cut.seen.contains(sourceID(id))
                && (cut.acts[key].contains { $0.id == id }
                    || spools.contains { cut.saved.spooled[$0]?.contains(sourceID(id)) == true })
        }
    }

    /// Whether one of these sinks may have failed on an event before a kill, with another value, while no snapshot had
    /// the event: it does not receive the event again, and its later value is routed to `onError`.
    func mayHaveFailed(on id: String, at sinks: [String]) -> Bool {
        cuts.contains { cut in
            cut.isKill && !cut.seen.contains(id)
                && sinks.contains { cut.acts[$0].contains { sourceID($0.id) == id } }
        }
    }
}
