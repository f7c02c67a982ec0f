import RxDiagnostics
import RxEngine
import RxPipelines

// Unchecked: the sites are behind the lock.
/// A rate limiter for records, by kind and origin, which counts the records that it suppresses.
///
/// Without it, a step that fails on every event would fill the journal with one sentence. Records of the daemon's
/// lifecycle, reloads and resources always pass.
final class RecordLimiter: @unchecked Sendable {
    /// The key of a limit: the kind, the priority and the origin of records. The priority is part of it, so that records
    /// of successes do not use up the limit of failures.
    private struct LimitKey: Hashable {
        let kind: RecordKind
        let priority: Priority
        let parts: [String?]

        init(_ record: Record) {
            kind = record.kind
            priority = record.priority
            parts = RecordField.origins.map { record[$0] }
        }
    }

    /// The number of records of one site within the time of a limit.
    private struct RecordCount {
        let end: Duration
        var passed = 0
        var suppressed = 0
        let last: Record
    }

    /// The time for which a limit counts.
    static let span = Duration.seconds(10)

    private let lock = Lock()
    private var counts: [LimitKey: RecordCount] = [:]
    /// The earliest end of a count that has suppressed records.
    private var nextEnd: Duration?
    /// The number of counts above which those that have ended are removed.
    private var sweepLimit = RecordLimiter.few
    private let now: @Sendable () -> Duration
    private static let few = 1_000

    /// - Parameter now: a clock that never goes back.
    init(now: @escaping @Sendable () -> Duration = RecordLimiter.sinceStart()) {
        self.now = now
    }

    /// The number of origins that are counted.
    var origins: Int { lock.locked { counts.count } }

    /// The largest number of records of a kind from one origin in a ``span``; `nil` for no limit.
    static func limit(of kind: RecordKind) -> Int? {
        switch kind {
        case .lifecycle, .resources, .reload: nil
        case .event: 50_000
        case .error, .source, .sink: 100
        }
    }

    /// The records to write now: summaries of records that were suppressed before, then `record`, unless it exceeds the
    /// limit.
    func pass(_ record: Record) -> [Record] {
        let (summaries, isAdmitted) = admit(record)
        return isAdmitted ? summaries + [record] : summaries
    }

    /// The summaries to write before `record`, and whether `record` is within the limit.
    func admit(_ record: Record) -> (summaries: [Record], isAdmitted: Bool) {
        let limit = Self.limit(of: record.kind)
        let now = now()
        return lock.locked {
            let summaries = takeSummaries(before: now)
            guard let limit else { return (summaries, true) }
            let site = LimitKey(record)
            var count =
                counts[site].flatMap { $0.end > now ? $0 : nil } ?? RecordCount(end: now + Self.span, last: record)
            let isAdmitted = count.passed < limit
            if isAdmitted {
                count.passed += 1
            } else {
                count.suppressed += 1
                nextEnd = min(nextEnd ?? count.end, count.end)
            }
            counts[site] = count
            return (summaries, isAdmitted)
        }
    }

    /// The summaries of all suppressed records that no summary has counted yet.
    func rest() -> [Record] {
        lock.locked { takeSummaries(before: nil) }
    }

    /// Removes the counts that have ended by this time, or all, and returns their summaries.
    private func takeSummaries(before time: Duration?) -> [Record] {
        if let time {
            // The common case: nothing was suppressed.
            guard let nextEnd else {
                if counts.count > sweepLimit {
                    counts = counts.filter { $0.value.end > time }
                    // Not at each record, if many sites write at once.
                    sweepLimit = max(Self.few, 2 * counts.count)
                }
                return []
            }
            guard nextEnd <= time else { return [] }
        }
        let over = counts.filter { count in time.map { count.value.end <= $0 } ?? true }
        for site in over.keys { counts[site] = nil }
        nextEnd = counts.values.filter { $0.suppressed > 0 }.map(\.end).min()
        return over.values.filter { $0.suppressed > 0 }.map { $0.last.summary(suppressed: $0.suppressed) }
    }

    private static func sinceStart() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }
}

/// The error of a record that is not written, since its origin has reached its limit.
struct RecordLimitError: Error, CustomStringConvertible {
    let kind: RecordKind

    var description: String {
        let limit = RecordLimiter.limit(of: kind).map { "\($0)" } ?? "0"
        return "more than \(limit) records in \(SystemdDuration.format(RecordLimiter.span))"
    }
}

extension RecordField {
    /// The fields that identify the origin of a record.
    fileprivate static let origins: [RecordField] = [.pipeline, .source, .sink, .step]
}

extension Record {
    /// The summary of this many suppressed records like this one.
    fileprivate func summary(suppressed count: Int) -> Record {
        let origin = RecordField.origins.compactMap { self[$0] }.joined(separator: ", ")
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
