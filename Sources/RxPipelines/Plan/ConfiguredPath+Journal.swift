import RxLinux

extension ConfiguredPath {
    /// The path; `nil` if the system has no journal.
    var path: String? { text ?? JournalAccess.fileOfServices }
}
