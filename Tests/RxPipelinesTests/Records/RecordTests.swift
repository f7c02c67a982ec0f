import RxPipelines
import TestSupport
import Testing

struct RecordTests {
    @Test func everyKindHasUniqueID() {
        let ids = RecordKind.allCases.map(\.messageID)
        #expect(Set(ids).count == ids.count)
        for id in ids {
            #expect(id.utf8.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }, "\(id)")
        }
    }

    /// The texts that `journalctl -x` shows for a record.
    @Test func catalogExplainsExactlyAllKinds() throws {
        let catalog = try text(of: "\(repository)/deploy/catalog/rxwatchd.catalog")
        let ids = catalog.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
        #expect(ids.sorted() == RecordKind.allCases.map(\.messageID).sorted())
    }

    /// rxwatchd.journal-fields(7).
    @Test func manualExplainsExactlyAllFieldsAndKinds() throws {
        let manual = try DeployedFile("man/rxwatchd.journal-fields.7")
        #expect(manual.manualFields == Set(RecordField.allCases.map(\.rawValue) + ["MESSAGE_ID"]))
        #expect(manual.manualWords == Set(RecordKind.allCases.map(\.rawValue)))
    }

    @Test func fieldsInCatalogExist() throws {
        let catalog = try text(of: "\(repository)/deploy/catalog/rxwatchd.catalog")
        let fields = catalog.split { !($0.isUppercase || $0 == "_") }.filter { $0.hasPrefix("RX_") }
        #expect(!fields.isEmpty)
        for field in Set(fields) { #expect(RecordField(rawValue: String(field)) != nil, "\(field)") }
    }

    @Test func fieldsWithoutValueAreOmitted() {
        let record = Record(
            .event, .notice, generation: 3, "hello", [.pipeline: "p", .sink: nil, .cause: "tick:1", .error: ""])
        #expect(record.fields.map(\.field) == [.pipeline, .cause, .error])
        #expect(record.fields.map(\.value) == ["p", "tick:1", ""])
        #expect(record[.pipeline] == "p" && record[.sink] == nil && record[.error] == "")
        #expect(record.kind == .event && record.priority == .notice)
        #expect(record.generation == 3 && record.message == "hello")
    }

    @Test func prioritiesMatchSyslog() {
        #expect(Priority.allCases.map(\.number) == Array(0...7))
        #expect(Priority.emerg.number == 0 && Priority.err.number == 3 && Priority.debug.number == 7)
    }
}
