import FoundationEssentials
import Glibc
import RxDiagnostics
import RxLinux

/// The entries of a journal that the journal sources of a configuration would have emitted since some time, as the events of a
/// trial.
struct JournalInputs: Sendable {
    /// How much of the past is read.
    let length: Duration
    /// The directory of the journal; `nil` for those that the sources name.
    let directory: String?
    /// The beginning, in seconds since 1970.
    let start: Double
    /// The end, in microseconds since 1970: two configurations are compared on the same entries.
    private let end: UInt64

    /// The most entries that are read.
    private static let maximum = 100_000
    /// The service whose own entries a source leaves out.
    private static let ownUnit = "rxwatchd.service"

    init(of length: Duration, in directory: String?) {
        self.length = length
        self.directory = directory
        let now = Date().timeIntervalSince1970
        start = now - length / .seconds(1)
        end = UInt64(now * 1_000_000)
    }

    /// The beginning as a local time: `2026-11-27 19:00:00`.
    var shownStart: String {
        let time = LocalTime(time_t(start))
        return "\(time.date) \(time.clock)"
    }

    /// The events of the journal sources of a plan.
    func inputs(of plan: Plan) throws -> [TrialInput] {
        let sources = plan.sources.compactMap { source in
            (source.kind as? JournalSource).map { (name: source.name, kind: $0) }
        }
        guard !sources.isEmpty else {
            throw TrialInput.Failure(
                message: "the configuration has no source of kind journal, so there is nothing to replay")
        }
        var inputs: [TrialInput] = []
        let names = Set(sources.map(\.name))
        for (name, kind) in sources {
            var query = kind.query
            let asksForAuthor = JournalLoopGuard.asksForAuthor(query.matches)
            query.follows = false
            query.start = .since(Date(timeIntervalSince1970: start))
            if let directory { query.location = .directory(directory) }
            let entries = try Journal.read(query, limit: Self.maximum + 1 - inputs.count)
            inputs += entries.filter {
                $0.realtime <= end && !Self.excludes($0, asksForAuthor, sources: names)
            }.map { entry in
                TrialInput(
                    node: name, time: .microseconds(Int64(entry.realtime) - Int64(start * 1_000_000)), value: entry.json
                )
            }
            if inputs.count > Self.maximum {
                throw TrialInput.Failure(
                    message: "more than \(Self.maximum) entries match: give a shorter time with --since, or narrower "
                        + "matches")
            }
        }
        guard !inputs.isEmpty else {
            let names = sources.map { "\($0.name) (\($0.kind.shownMatches))" }
            throw TrialInput.Failure(
                message:
                    "no entry of the last \(SystemdDuration.format(length)) matches \(names.joined(separator: ", "))")
        }
        return inputs
    }

    /// Whether the source leaves the entry out, as a running daemon does (``JournalLoopGuard``). Which processes the
    /// daemon had is not known, so its unit stands for them.
    private static func excludes(_ entry: JournalEntry, _ asksForAuthor: Bool, sources: Set<String>) -> Bool {
        guard entry["_SYSTEMD_UNIT"] == ownUnit else { return false }
        if !asksForAuthor || entry["_TRANSPORT"] == "stdout" { return true }
        guard let cause = entry[RecordField.cause.rawValue], let end = cause.lastIndex(of: ":") else { return false }
        return sources.contains(String(cause[..<end]))
    }
}
