import RxEngine
import RxLinux

/// `journal: { match: { _SYSTEMD_UNIT: sshd.service } }`: an event is an entry's fields. Of a field that is there several
/// times, or in `match`, a list has all values.
struct JournalSource: SourceKind {
    let query: JournalQuery

    static func read(_ node: YAMLNode, _ report: Report) -> (any SourceKind)? {
        var fields = Fields(node, in: "journal", report)
        let values = FieldType<[String]>.oneOrMore(of: .string("a value", example: "sshd.service"))
        let match = fields.optional("match", .map(of: values)) ?? []
        guard fields.finish() else { return nil }
        let matches = match.flatMap { name, _, values in values.map { JournalField(name, $0) } }
        return JournalSource(query: JournalQuery(matches))
    }

    func events(in surroundings: SourceSurroundings) -> Observable<JSON> {
        Journal.entries(query).observe(on: surroundings.scheduler).map(\.json)
    }

    var summary: String {
        query.matches.isEmpty
            ? "every entry"
            : query.matches.map { "\($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: " ")
    }
}

extension JournalEntry {
    /// As an event.
    fileprivate var json: JSON {
        var object = JSON.Object()
        for field in fields {
            let value = JSON.string(String(decoding: field.value, as: UTF8.self))
            switch object[field.name] {
            case nil: object[field.name] = value
            case .array(let values)?: object[field.name] = .array(values + [value])
            case let first?: object[field.name] = [first, value]
            }
        }
        object["__CURSOR"] = .string(cursor)
        object["__REALTIME_TIMESTAMP"] = .number(Double(realtime))
        return .object(object)
    }
}
