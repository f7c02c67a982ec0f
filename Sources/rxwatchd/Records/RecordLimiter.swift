import RxDiagnostics
import RxEngine
import RxPipelines

// Unchecked: the sites are behind the lock.
/// Lets only so many records of one kind from one place through at a time, and counts the others.
///
/// A step that fails on every event would else fill the journal with one sentence. What says how things stand, counts
/// and the daemon's life, always passes.
final class RecordLimiter: @unchecked Sendable {
    /// What a limit is about: records of a kind and a priority, of one pipeline's or source's one part. What goes well
    /// must not use up the share of what goes wrong.
    private struct Site: Hashable {
        let kind: RecordKind
        let priority: Priority
        let parts: [String?]

        init(_ record: Record) {
            kind = record.kind
            priority = record.priority
            parts = RecordField.places.map { record[$0] }
        }
    }

    private struct Tally {
        let end: Duration
        var passed = 0
        var suppressed = 0
        let last: Record
    }

    /// How long a limit is for.
    static let span = Duration.seconds(10)

    private let lock = Lock()
    private var tallies: [Site: Tally] = [:]
    /// When the first of the tallies that have suppressed something is over.
    private var nextEnd: Duration?
    private let now: @Sendable () -> Duration

    /// - Parameter now: the time since some moment, which never goes back.
    init(now: @escaping @Sendable () -> Duration = RecordLimiter.sinceStart()) {
        self.now = now
    }

    /// How many places are counted.
    var places: Int { lock.locked { tallies.count } }

    /// How many records of a kind may come from one place in one span; `nil` for any number.
    static func limit(of kind: RecordKind) -> Int? {
        switch kind {
        case .lifecycle, .resources, .reload: nil
        case .event: 50_000
        case .error, .source, .sink: 100
        }
    }

    /// The records to write now: `record`, unless it is over the limit, after those that count what was suppressed
    /// before.
    func pass(_ record: Record) -> [Record] {
        let (summaries, isAdmitted) = admit(record)
        return isAdmitted ? summaries + [record] : summaries
    }

    /// The records to write before `record`, which count what was suppressed, and whether it is within the limit
    /// itself.
    func admit(_ record: Record) -> (summaries: [Record], isAdmitted: Bool) {
        let limit = Self.limit(of: record.kind)
        let now = now()
        return lock.locked {
            let summaries = takeSummaries(before: now)
            guard let limit else { return (summaries, true) }
            let site = Site(record)
            var tally = tallies[site].flatMap { $0.end > now ? $0 : nil } ?? Tally(end: now + Self.span, last: record)
            let isAdmitted = tally.passed < limit
            if isAdmitted {
                tally.passed += 1
            } else {
                tally.suppressed += 1
                nextEnd = min(nextEnd ?? tally.end, tally.end)
            }
            tallies[site] = tally
            return (summaries, isAdmitted)
        }
    }

    /// The records that count what was suppressed and has not been counted yet.
    func rest() -> [Record] {
        lock.locked { takeSummaries(before: nil) }
    }

    /// Removes the tallies that are over at a time, or all, and returns the records that count what they suppressed.
    private func takeSummaries(before time: Duration?) -> [Record] {
        if let time {
            // Most records are about nothing of this.
            guard let nextEnd else {
                if tallies.count > 1_000 { tallies = tallies.filter { $0.value.end > time } }
                return []
            }
            guard nextEnd <= time else { return [] }
        }
        let over = tallies.filter { tally in time.map { tally.value.end <= $0 } ?? true }
        for site in over.keys { tallies[site] = nil }
        nextEnd = tallies.values.filter { $0.suppressed > 0 }.map(\.end).min()
        return over.values.filter { $0.suppressed > 0 }.map { $0.last.summary(suppressed: $0.suppressed) }
    }

    private static func sinceStart() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }
}

/// Why a record is not written: its place has used up its share.
struct RecordLimitError: Error, CustomStringConvertible {
    let kind: RecordKind

    var description: String {
        let limit = RecordLimiter.limit(of: kind).map { "\($0)" } ?? "0"
        return "more than \(limit) records in \(SystemdDuration.format(RecordLimiter.span))"
    }
}

extension RecordField {
    /// The fields that say where a record comes from.
    fileprivate static let places: [RecordField] = [.pipeline, .source, .sink, .step]
}

extension Record {
    /// A record that says how many records like this one were suppressed.
    fileprivate func summary(suppressed count: Int) -> Record {
        let origin = RecordField.places.compactMap { self[$0] }.joined(separator: ", ")
        return Record(
            kind, priority.number > Priority.warning.number ? priority : .warning, generation: generation,
            "\(counted(count, "more record")) like '\(message.prefix(200))' "
                + "\(count == 1 ? "was" : "were") suppressed\(origin.isEmpty ? "" : " (\(origin))")",
            [
                .pipeline: self[.pipeline], .source: self[.source], .sink: self[.sink], .step: self[.step],
                .suppressed: String(count),
            ])
    }
}
