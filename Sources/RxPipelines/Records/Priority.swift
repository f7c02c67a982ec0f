/// The journal's priorities, by the names that `journalctl -p` takes.
package enum Priority: String, Sendable, CaseIterable {
    case emerg, alert, crit, err, warning, notice, info, debug

    /// The number that the journal knows it by.
    package var number: Int {
        Self.allCases.firstIndex(of: self) ?? 6
    }
}
