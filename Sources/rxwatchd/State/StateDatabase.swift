/// A database in the state directory, by the name of its file.
enum StateDatabase: String {
    case snapshots = "events.db"
    case spools = "spool.db"
    case batches = "batches.db"

    /// The path of the database in a state directory.
    func path(in directory: String) -> String { "\(directory)/\(rawValue)" }

    /// The purpose and the path of the database, for a message.
    func description(in directory: String) -> String {
        let meaning =
            switch self {
            case .snapshots: "the database of unsettled events and state"
            case .spools: "the spool database"
            case .batches: "the database of unwritten lines"
            }
        return "\(meaning) '\(path(in: directory))'"
    }
}
