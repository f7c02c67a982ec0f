/// What a kill may do beyond what is promised, until sources save their positions with the snapshots. Nothing else is
/// let pass by the checks; to hold the daemon to more, make this stricter.
struct Tolerance {
    /// Whether the daemon is told to reload before it is ready: it loses the changes to files that are on their way then.
    static let reloadsBeforeReady = false

    let cuts: ArraySlice<Cut>

    /// Whether a file may have come as so many events: it comes again, under a new id, if it was made since the watched
    /// files were last saved, which is at the start of the process that was killed.
    ///
    /// - Parameter move: the move that made it.
    func mayCome(_ count: Int, madeBy move: Int) -> Bool {
        count <= 1
    }

    /// Whether a file may have been lost: the table of watched files was saved with it, and the process killed before it was in a
    /// snapshot.
    ///
    /// - Parameter move: the move that made it.
    func mayBeLost(_ file: Int, of source: String, madeBy move: Int) -> Bool {
        false
    }

    /// Whether a sink may have acted on an event with another value: it did so before a kill, and no snapshot had the event, which came
    /// again after others.
    func mayHaveOtherValue(_ id: String, at key: String) -> Bool {
        cuts.contains { cut in
            cut.isKill && !cut.seen.contains(id) && cut.acts[key].contains { sourceID($0.id) == id }
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
