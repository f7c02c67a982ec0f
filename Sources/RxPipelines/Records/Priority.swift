/// The journal's priorities, by the names that `journalctl -p` takes.
package enum Priority: String, Sendable, CaseIterable {
    case emerg, alert, crit, err, warning, notice, info, debug

    /// The number of the priority in the journal.
    package var number: Int {
        Self.allCases.firstIndex(of: self) ?? 6
    }
}
