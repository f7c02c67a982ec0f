/// The state between two processes.
struct Cut: Sendable {
    let saved: Saved
    let acts: Acts
    let isKill: Bool
    /// The move that led to it.
    let move: Int
    /// How often, before this end, a command or a request may have been ended between its act and its note.
    let interruptions: Int

    /// The IDs of all events that steps have seen.
    var seen: Set<String> { Set(saved.logs.values.joined().map(\.id)) }
}
