import RxDiagnostics
import RxEngine

/// Records that a source has reached `inFlight`, how many of its values later ones replace meanwhile, and that it has
/// resumed.
final class StallRecords: Sendable {
    private struct Stall {
        /// How many values were replaced.
        var replaced = 0
        /// When that was recorded last, in seconds.
        var recorded: Double
    }

    /// While `inFlight` is reached, the replaced values are recorded so often, in seconds.
    private static let period = 60.0

    private let record: @Sendable (Priority, String, (any Error)?) -> Void
    private let stall = Locked<Stall?>(nil)

    init(_ record: @escaping @Sendable (Priority, String, (any Error)?) -> Void) {
        self.record = record
    }

    /// Whether `inFlight` was reached, and the source has not resumed.
    var isStalled: Bool { stall.withLock { $0 != nil } }

    /// A value has come while `inFlight` was reached.
    ///
    /// - Parameters:
    ///   - isReplacing: whether it took the place of an earlier one.
    ///   - fate: what becomes of the values.
    func reached(_ limit: Int, isReplacing: Bool = false, at now: Double = 0, _ fate: String) {
        let (isFirst, replaced) = stall.withLock { stall -> (Bool, Int?) in
            let isFirst = stall == nil
            var current = stall ?? Stall(recorded: now)
            if isReplacing { current.replaced += 1 }
            let isDue = isReplacing && now - current.recorded >= Self.period
            if isDue { current.recorded = now }
            stall = current
            return (isFirst, isDue ? current.replaced : nil)
        }
        if isFirst { record(.warning, "inFlight reached: \(limit) events are unsettled; \(fate)", nil) }
        if let replaced { record(.warning, "inFlight is still reached; \(Self.loss(replaced)) so far", nil) }
    }

    func resumed() {
        guard let count = over() else { return }
        record(.notice, count == 0 ? "resumed" : "resumed; \(Self.loss(count))", nil)
    }

    /// The source has ended.
    func ended() {
        if let count = over(), count > 0 { record(.warning, "ended with inFlight reached; \(Self.loss(count))", nil) }
    }

    private func over() -> Int? { stall.withLock { $0.take() }?.replaced }

    private static func loss(_ count: Int) -> String {
        counted(count, "value was replaced by a later one", "values were replaced by later ones")
    }
}
