/// The priority of a journal record: the levels of syslog, the most urgent first.
public enum JournalPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    case emerg, alert, crit, err, warning, notice, info, debug

    /// Returns whether `left` is more urgent than `right`.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
