import Glibc
import RxControl
import RxDiagnostics
import RxJSON
import RxLinux

/// `rxwatchctl why`: prints the records of one event, from the journal.
package enum EventHistory {
    /// The most records of one event that are printed: the latest ones.
    private static let maximum = 1_000

    /// This host's journal, in whatever namespace the service writes its records.
    static let host = JournalQuery.Location.system(namespace: "*")
    /// The longest value of a source in a line of text, in characters.
    private static let longestValue = 200

    /// Other programs may write fields with the same names.
    private static let unit = JournalField("_SYSTEMD_UNIT", "rxwatchd.service")

    /// Prints what happened to an event, in the order of time, on standard output; an error on standard error.
    ///
    /// - Parameters:
    ///   - name: the value of `RX_EVENT_ID` or `RX_CAUSE` in the event's records.
    ///   - directory: the directory of the journal; empty for this host's journal.
    ///   - asJSON: whether to print the answer as JSON.
    /// - Returns: the exit code.
    package static func run(_ name: String, in directory: String, asJSON: Bool) -> Int32 {
        let answer = WaitIndicator.during("the journal") {
            Self.answer(name, in: directory.isEmpty ? host : .directory(directory))
        }
        return answer.print(asJSON: asJSON)
    }

    static func answer(_ name: String, in location: JournalQuery.Location) -> ControlAnswer {
        var entries: [JournalEntry] = []
        do throws(SystemError) {
            for field in [RecordField.eventID, .cause] {
                let fields = [JournalField(field.rawValue, name), unit]
                entries += try Journal.read(JournalQuery(fields, in: location, from: .beginning, follows: false))
            }
        } catch {
            return ControlAnswer("\(error)", exitCode: ExitCode.failure)
        }
        // The event that a cause names last: several runs of a source have the same numbers.
        let events = Dictionary(grouping: entries) { SourceEvent.id(ofPart: $0[RecordField.eventID.rawValue] ?? "") }
        guard let (id, latest) = events.max(by: { Self.lastTime($0.value) < Self.lastTime($1.value) }) else {
            let message = Self.message(finding: name, in: location, hasFiles: JournalAccess.hasFiles(in: location))
            return ControlAnswer(message, exitCode: ExitCode.failure)
        }
        var cursors: Set<String> = []
        let records = latest.filter { cursors.insert($0.cursor).inserted }
            .sorted { ($0.realtime, $0.cursor) < ($1.realtime, $1.cursor) }.suffix(maximum)
        let others = events.keys.filter { $0 != id }.sorted()
        let value = records.lazy.compactMap { $0[RecordField.sourceValue.rawValue] }.first
        return ControlAnswer(
            lines(of: Array(records), id, value, others).joined(separator: "\n"),
            details: [
                "id": .string(id), "others": .array(others.map(JSON.string)), "records": .array(records.map(\.record)),
                "value": value.flatMap { try? JSON(parsing: Array($0.utf8)) } ?? .null,
            ])
    }

    /// Says that no record of an event was found, and what to do.
    ///
    /// - Parameter hasFiles: whether there are files of the journal.
    static func message(finding name: String, in location: JournalQuery.Location, hasFiles: Bool) -> String {
        guard hasFiles else {
            guard location == host else { return "\(location) has no files that you may read" }
            return "this host has no journal that you may read, and records of events are only there; use "
                + "'rxwatchctl status NODE', which has the last failure of a source, pipeline or sink, or "
                + "'rxwatchctl tap --lifecycle' before the next event"
        }
        let fields = [RecordField.eventID, .cause].map { "\($0.rawValue)=\(name)" }
        let other =
            location == host ? ", and a daemon that was started by hand writes its records to standard error" : ""
        return "no record in \(location) has \(fields.joined(separator: " or ")); an event that a step drops has none, "
            + "see 'rxwatchctl try'; sinks of kind file and stdout record failures only, unless they have "
            + "'records: all'\(other)"
    }

    private static func lastTime(_ entries: [JournalEntry]) -> UInt64 { entries.map(\.realtime).max() ?? 0 }

    private static func lines(
        of records: [JournalEntry], _ id: String, _ value: String?, _ others: [String]
    ) -> [String] {
        let source = records.lazy.compactMap { $0[RecordField.source.rawValue] }.first ?? "its source"
        let emitted = records.lazy.compactMap { $0[RecordField.sourceTime.rawValue] }.first
            .flatMap { Double($0) }.flatMap { UInt64(exactly: ($0 * 1_000_000).rounded()) }
        let first = emitted ?? records.first?.realtime ?? 0
        let rows = records.map { entry -> [String] in
            let milliseconds = (Double(entry.realtime) - Double(first)) / 1000
            return [
                "+\(JSON.number((milliseconds * 10).rounded() / 10)) ms", entry.shownPriority,
                entry.place.joined(separator: "/"), entry.messageAtPlace,
            ]
        }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        let start = "emitted by \(source)" + (value.map { ": \($0.cut(toColumns: longestValue + 1))" } ?? "")
        var shown: [(time: UInt64, head: String, text: String)] =
            emitted != nil || value != nil ? [(first, "", start)] : []
        for (entry, row) in zip(records, rows) {
            let cells = zip(row, widths).filter { $1 > 0 }.map { cell, width in "\(cell.padded(to: width))  " }
            shown.append((entry.realtime, cells.joined(), row[3]))
        }
        var lines = ["event \(id)"]
        var date = ""
        for (time, head, text) in shown {
            let day = LocalTime(time_t(time / 1_000_000)).date
            if day != date { lines.append("  on \(day)") }
            date = day
            let head = "  \(LocalTime.clock(ofMicroseconds: Int64(clamping: time)))  \(head)"
            lines.append((head + text).shownOnTerminal(indentedBy: head.count))
        }
        if !others.isEmpty {
            // Their sources have run before.
            lines.append("other events with this cause: \(others.suffix(5).joined(separator: ", "))")
        }
        return lines
    }
}

extension JournalEntry {
    /// The names of the pipeline, or of the source, and of the sink.
    fileprivate var place: [String] {
        [self[RecordField.pipeline.rawValue] ?? self[RecordField.source.rawValue], self[RecordField.sink.rawValue]]
            .compactMap(\.self)
    }

    /// The message without the names of ``place``, with which most begin: "p: http failed: no", "p failed: no".
    fileprivate var messageAtPlace: String {
        let message = self["MESSAGE"] ?? ""
        let names = place.joined(separator: ": ") + " "
        return message.hasPrefix(names) ? String(message.dropFirst(names.count)) : message
    }

    /// The name of the priority, or nothing for that of most records, as on a terminal.
    fileprivate var shownPriority: String {
        let number = self["PRIORITY"].flatMap { Int($0) }
        let priority = Priority.allCases.first { $0.number == number } ?? .info
        return priority == .info ? "" : priority.rawValue
    }

    /// The record for programs: the daemon's fields, the message, the priority and the time.
    fileprivate var record: JSON {
        let own = fields.filter { $0.name.hasPrefix("RX_") || ["MESSAGE", "PRIORITY"].contains($0.name) }
        var json = JSON.object(
            own.reduce(into: JSON.Object()) { $0[$1.name] = .string(String(decoding: $1.value, as: UTF8.self)) })
        json["time"] = .number(Double(realtime) / 1_000_000)
        return json
    }
}
