import Glibc
import RxDiagnostics
import RxPipelines
import Testing

@testable import rxwatchd

struct RecordTests {
    @Test func journalEntryHasAllFields() {
        let record = Record(
            .event, .warning, generation: 4, "disk\nfull", [.pipeline: "p", .sink: nil, .sequence: "7", .cause: "a:7"])
        let fields = record.journalFields.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
        #expect(
            fields == [
                "MESSAGE=disk\nfull", "SYSLOG_IDENTIFIER=rxwatchd",
                "MESSAGE_ID=943618d354e64f088f6f8d2ba3c5db19", "RX_KIND=event", "RX_GENERATION=4", "RX_PIPELINE=p",
                "RX_SEQUENCE=7", "RX_CAUSE=a:7",
            ])
        #expect(record.journalPriority == .warning)
    }

    @Test func configErrorIsInField() {
        let source = SourceText(file: "a.yaml", text: "x: 1\ny: 2\n")
        let diagnostics = Diagnostics(
            [
                Diagnostic("unknown key 'x'", at: SourceLocation(file: "a.yaml", line: 1, column: 1)),
                Diagnostic("unknown key 'y'", at: SourceLocation(file: "a.yaml", line: 2, column: 1)),
            ], sources: [source])
        let records = Record.problems(.reload, diagnostics, generation: 3)
        #expect(
            records.map(\.message) == [
                "a.yaml:1:1: unknown key 'x'\nx: 1\n^", "a.yaml:2:1: unknown key 'y'\ny: 2\n^",
            ])
        #expect(records.map { $0[.error] } == ["a.yaml:1:1: unknown key 'x'", "a.yaml:2:1: unknown key 'y'"])
        for record in records {
            #expect(record.kind == .reload && record.priority == .err && record.generation == 3)
            #expect(record[.errorType] == "Diagnostic")
        }
    }

    @Test(arguments: RecordKind.allCases) func journaldTakesEveryField(kind: RecordKind) {
        let record = Record(kind, generation: 1, "", [.phase: "", .residentKiB: "", .errorType: ""])
        #expect(record.journalFields.filter { !$0.isValid }.isEmpty)
    }

    @Test(arguments: [
        (Record(.event, generation: 1, "beat"), "        event     beat"),
        (Record(.resources, generation: 1, "3 live objects"), "        resources 3 live objects"),
        (Record(.event, generation: 1, "beat", [.pipeline: "p"]), "        event     beat  (p)"),
        (Record(.event, generation: 1, "beat", [.cause: "a:1", .pipeline: "p"]), "        event     beat  (p < a:1)"),
        (Record(.error, .err, generation: 1, "no", [.cause: "a:1", .error: "no"]), "err     error     no  (a:1)"),
        (Record(.event, .notice, generation: 1, "beat"), "notice  event     beat"),
        (Record(.sink, .warning, generation: 1, "beat"), "warning sink      beat"),
    ])
    func recordIsPrintedAsLine(record: Record, text: String) {
        #expect(record.line(at: 0).dropFirst(9) == text)
    }

    @Test(arguments: [
        (Priority.crit, "1;31"), (.err, "1;31"), (.warning, "33"), (.notice, "1"), (.debug, "2"),
    ])
    func priorityIsShownByColor(priority: Priority, color: String) {
        let record = Record(.event, priority, generation: 1, "\u{1B}[0m")
        let line = record.line(at: 0)
        #expect(record.line(at: 0, hasColor: true) == "\u{1B}[\(color)m\(line)\u{1B}[0m")
        #expect(!line.contains("\u{1B}"))
    }

    @Test func infoHasColorOfTerminal() {
        let record = Record(.event, generation: 1, "x")
        #expect(record.line(at: 0, hasColor: true) == record.line(at: 0))
    }

    /// The texts in a record are not trusted: they neither control a terminal nor look like another record.
    @Test(arguments: [
        ("\u{1B}[2J\u{7}gone\u{9B}1m\u{7F}", "\u{FFFD}[2J\u{FFFD}gone\u{FFFD}1m\u{FFFD}"),
        ("a\n12:00:00 event     b", "a\n                           12:00:00 event     b"),
        ("a\r12:00:00 event", "a\u{FFFD}12:00:00 event"),
        ("a\r\nb", "a\u{FFFD}\n                           b"),
        ("a\u{85}b\u{2028}c\u{2029}d", "a\u{FFFD}b\u{FFFD}c\u{FFFD}d"),
        ("\u{202E}drawkcab", "\u{FFFD}drawkcab"),
        ("a\tb ä 🙂", "a\tb ä 🙂"),
        (
            "a.yaml:2:3: unknown key\n\t\tx: 1\n\t\t^",
            "a.yaml:2:3: unknown key\n                           \t\tx: 1\n                           \t\t^"
        ),
    ])
    func lineContainsNoControlCharacters(message: String, text: String) {
        #expect(Record(.event, generation: 1, message).line(at: 0).dropFirst(9) == "        event     \(text)")
    }

    @Test(arguments: [0, 1, 59, 3599, 1_790_000_000, 1_767_225_599])
    func lineStartsWithLocalTime(seconds: Int) {
        var time = time_t(seconds)
        var local = tm()
        localtime_r(&time, &local)
        var text = [CChar](repeating: 0, count: 16)
        let count = strftime(&text, text.count, "%H:%M:%S ", &local)
        let clock = String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        #expect(Record(.event, generation: 1, "").line(at: time).hasPrefix(clock))
    }

    @Test func lineUsesConfiguredTimeZone() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "XYZ-05:30", 1)
            tzset()
            #expect(Record(.event, generation: 1, "x").line(at: 0) == "05:30:00         event     x")
        }
    }
}
