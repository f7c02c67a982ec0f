import RxLinux

extension UsedPath {
    /// The path; `nil` if the system has no journal.
    var path: String? { text ?? JournalAccess.fileOfServices }
}
