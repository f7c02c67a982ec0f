import RxDiagnostics
import RxEngine

/// Records that a source is held back by `inFlight` or the memory of its events, how many of its values are replaced by
/// later ones meanwhile, and that it has resumed.
final class StallRecorder: Sendable {
    /// A stall that lasts: the values that newer ones replaced, and the last record of it.
    private struct Stall {
        /// How many values were replaced.
        var replaced = 0
        /// The limit that the last value met, for the record.
        var limit: String
        /// The elapsed time of the last record of that number.
        var recorded: Duration
    }

    /// The time between two records of replaced values while the source is held back.
    private static let period = Duration.seconds(60)

    private let record: @Sendable (Priority, String, (any Error)?) -> Void
    private let stall = Locked<Stall?>(nil)

    init(_ record: @escaping @Sendable (Priority, String, (any Error)?) -> Void) {
        self.record = record
    }

    /// Whether a limit was reached and the source has not resumed.
    var isStalled: Bool { stall.withLock { $0 != nil } }

    /// Records a value that the source emitted while a limit was reached.
    ///
    /// - Parameters:
    ///   - limit: the limit that is reached, and how, for the record.
    ///   - isReplacing: whether the value replaced an earlier one.
    ///   - now: the elapsed time of the scheduler, which is independent of the time of day.
    ///   - fate: what happens to the values, for the record.
    func reached(_ limit: String, isReplacing: Bool = false, at now: Duration = .zero, _ fate: String) {
        let (isFirst, replaced) = stall.withLock { stall -> (Bool, Int?) in
            let isFirst = stall == nil
            var current = stall ?? Stall(limit: limit, recorded: now)
            current.limit = limit
            if isReplacing { current.replaced += 1 }
            let isDue = isReplacing && now - current.recorded >= Self.period
            if isDue { current.recorded = now }
            stall = current
            return (isFirst, isDue ? current.replaced : nil)
        }
        if isFirst { record(.warning, "\(limit); \(fate)", nil) }
        if let replaced { record(.warning, "still held back (\(limit)); \(Self.loss(replaced)) so far", nil) }
    }

    /// Records that the source has resumed.
    func resumed() {
        guard let stall = end() else { return }
        record(.notice, stall.replaced == 0 ? "resumed" : "resumed; \(Self.loss(stall.replaced))", nil)
    }

    /// Records the replaced values of a source that ends before it resumes.
    func ended() {
        guard let stall = end(), stall.replaced > 0 else { return }
        record(.warning, "ended while held back (\(stall.limit)); \(Self.loss(stall.replaced))", nil)
    }

    /// Ends the stall.
    ///
    /// - Returns: the stall; `nil` if no limit was reached.
    private func end() -> Stall? { stall.withLock { $0.take() } }

    private static func loss(_ count: Int) -> String {
        counted(count, "value was replaced by a later one", "values were replaced by later ones")
    }
}
