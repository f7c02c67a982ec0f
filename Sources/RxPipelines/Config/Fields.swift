import RxDiagnostics
import RxJSON
import RxYAML

/// Reads the keys of a mapping, each with its type, and reports what is wrong with them all.
///
/// ```swift
/// var fields = Fields(node, in: "interval", short: "every", context)
/// let every = fields.required("every", .duration)
/// let delay = fields.optional("delay", .duration)
/// guard fields.finish(), let every else { return nil }
/// ```
///
/// Ask for every key before looking at the values, since `finish()` takes a key that nobody asked for as unknown. The
/// same code, run by `keys(_:)` on nothing, lists the keys there are: for a schema, and for the manual.
package struct Fields {
    /// A key that can be given, as the reader asked for it.
    package struct Key {
        package let name: String
        package let expected: String
        package let isRequired: Bool
        private let makeSchema: () -> JSON

        init(name: String, expected: String, isRequired: Bool, schema: @escaping () -> JSON) {
            self.name = name
            self.expected = expected
            self.isRequired = isRequired
            makeSchema = schema
        }

        package var schema: JSON { makeSchema() }
    }

    /// What the mapping is, in the words of a message: "interval".
    package let subject: String
    /// The place of the mapping.
    package let location: SourceLocation
    package let context: ReadingContext
    /// The keys asked for so far.
    package private(set) var keys: [Key] = []
    /// Nil when there is no mapping: then nothing more is to be said about its keys.
    private let pairs: [YAMLNode.Pair]?
    /// What there is in place of one.
    private let found: String
    private let countBefore: Int
    /// Where the keys are noted instead of read.
    private let outline: MappingOutline?
    /// Nothing is read, only asked for.
    private let isOutlining: Bool
    /// What is to be said of keys that must be given and are not.
    private var missing: [(keys: [String], message: String)] = []

    /// With `short`, a value that is no mapping stands for a mapping with that one key: `interval: 10s`.
    package init(_ node: YAMLNode, in subject: String, short: String? = nil, _ context: ReadingContext) {
        self.subject = subject
        self.context = context
        location = node.location
        countBefore = context.report.count
        found = node.described
        isOutlining = context.outline != nil
        outline = context.outline?.begin(short: short)
        if let short, node.mapping == nil, !node.isNull {
            pairs = [YAMLNode.Pair(short, at: node.location, node)]
        } else {
            pairs = node.mapping
        }
    }

    /// The keys a reader asks for; it is run on an empty mapping, and what it reports is dropped.
    package static func keys(_ read: (inout Fields) -> Void) -> [Key] {
        let nowhere = SourceLocation(file: "", line: 1, column: 1)
        var fields = Fields(YAMLNode(.mapping([]), at: nowhere), in: "", ReadingContext())
        read(&fields)
        return fields.keys
    }

    package var report: Report { context.report }

    /// The value of a key that must be given; nil when it is missing, which `finish()` reports, or after reporting that
    /// it is wrong.
    package mutating func required<Value>(_ name: String, _ type: FieldType<Value>) -> Value? {
        note(name, type, isRequired: true)
        if isOutlining { return nil }
        guard let pairs else { return nil }
        if let pair = pairs.first(where: { $0.key == name }) { return type.read(pair.value, context) }
        miss(name, type.expected)
        return nil
    }

    /// The value of a key that may be given; nil when it is not, or after reporting that it is wrong.
    package mutating func optional<Value>(_ name: String, _ type: FieldType<Value>) -> Value? {
        note(name, type, isRequired: false)
        if isOutlining { return nil }
        return pairs?.first { $0.key == name }.flatMap { type.read($0.value, context) }
    }

    /// Whether a key is given.
    func has(_ name: String) -> Bool {
        pairs?.contains { $0.key == name } ?? false
    }

    /// The text under a key, where it is one.
    func text(of name: String) -> String? {
        pairs?.first { $0.key == name }?.value.scalar?.text.text
    }

    /// Whether there is a mapping to read.
    var isReading: Bool { !isOutlining && pairs != nil }

    /// Notes a rule for the schema.
    func note(_ rule: KeyRule) {
        outline?.note(rule)
    }

    /// Says that a key must be given, or one of others in its place, which `finish()` reports.
    mutating func miss(_ name: String, _ expected: String, or others: [String] = []) {
        if pairs != nil { missing.append(([name] + others, "\(subject) needs '\(name)', \(expected)")) }
    }

    /// Where a key stands, for a message about how it goes with others; the mapping's place when it is not given.
    /// Where a template is to become the value, that is the template's.
    package func location(of name: String) -> SourceLocation {
        guard let pair = pairs?.first(where: { $0.key == name }) else { return location }
        if context.templates.isEmpty { return pair.keyLocation }
        return pair.value.locations.first(where: context.templates.contains) ?? pair.keyLocation
    }

    /// Where the value under a key stands, for a message about it alone; the key's place where nothing is there.
    package func valueLocation(of name: String) -> SourceLocation {
        guard context.templates.isEmpty, let pair = pairs?.first(where: { $0.key == name }) else {
            return location(of: name)
        }
        return pair.value.location
    }

    /// Reports that there is no mapping, or the keys nobody asked for and those that are missing, and returns whether
    /// nothing is wrong with it and what is in it. A key that is only misspelt is not missing.
    package func finish() -> Bool {
        if isOutlining { return false }
        let names = keys.map(\.name)
        guard pairs != nil else {
            report.add("\(subject) needs a mapping of \(names.joined(separator: ", ")); found \(found)", at: location)
            return false
        }
        let unknown = (pairs ?? []).filter { !names.contains($0.key) }
        // Nobody reads the hundredth mistake for its hint.
        let meant = unknown.map { report.isFull ? nil : Nearest.name(to: $0.key, in: names) }
        for (keys, message) in missing where !meant.contains(where: { $0.map(keys.contains) ?? false }) {
            report.add(message, at: location)
        }
        for pair in unknown {
            let known = names.isEmpty ? "; it takes none" : "; known are \(names.joined(separator: ", "))"
            let hint = report.hint(for: pair.key, in: names) ?? known
            report.add("unknown key '\(pair.key.shortened)' in \(subject)\(hint)", at: pair.keyLocation)
        }
        return report.count == countBefore
    }

    private mutating func note<Value>(_ name: String, _ type: FieldType<Value>, isRequired: Bool) {
        // A schema is made only where somebody looks at it.
        let key = Key(name: name, expected: type.expected, isRequired: isRequired) { type.schema }
        keys.append(key)
        outline?.note(key)
    }
}
