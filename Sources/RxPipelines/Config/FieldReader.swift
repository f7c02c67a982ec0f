import RxDiagnostics
import RxJSON
import RxYAML

/// Reads the keys of a mapping, each with its type, and reports all errors.
///
/// ```swift
/// var fields = FieldReader(node, in: "interval", short: "every", context)
/// let every = fields.required("every", .duration)
/// let delay = fields.optional("delay", .duration)
/// guard fields.finish(), let every else { return nil }
/// ```
///
/// Ask for every key before looking at the values, since `finish()` reports a key that was not asked for as unknown.
/// The same code, run by `keys(_:)` on an empty mapping, lists all keys, for a schema and for the manual.
package struct FieldReader {
    /// A key that a reader has asked for.
    package struct Key {
        package let name: String
        /// The description of the key's type.
        package let expected: String
        /// The description of the key; empty if it has none.
        let meaning: String
        package let isRequired: Bool
        private let makeSchema: () -> JSON

        init(name: String, expected: String, meaning: String, isRequired: Bool, schema: @escaping () -> JSON) {
            self.name = name
            self.expected = expected
            self.meaning = meaning
            self.isRequired = isRequired
            makeSchema = schema
        }

        package var schema: JSON { makeSchema() }

        /// The descriptions of the key and of its type, for editors.
        var description: String { meaning.isEmpty ? expected : "\(meaning) (\(expected))" }
    }

    /// The name of the mapping in messages: "interval".
    package let subject: String
    /// The location of the mapping.
    package let location: SourceLocation
    package let context: ReadingContext
    /// The keys asked for so far.
    package private(set) var keys: [Key] = []
    /// The pairs of the mapping; `nil` if the node is not a mapping, so that missing keys are not reported.
    private let pairs: [YAMLNode.Pair]?
    /// The node.
    private let node: YAMLNode
    /// The number of errors in the report before this mapping.
    private let countBefore: Int
    /// Collects the keys for a schema; `nil` outside of an outline or for an inner mapping.
    private let outline: MappingOutline?
    /// Whether the keys are only asked for, and nothing is read.
    private let isOutlining: Bool
    /// The messages about required keys that are not given.
    private var missing: [(keys: [String], message: String)] = []

    /// Begins to read a mapping.
    ///
    /// - Parameters:
    ///   - node: the mapping.
    ///   - subject: the name of the mapping in messages.
    ///   - short: the key for which a value that is not a mapping stands, as in `interval: 10s`.
    ///   - context: the context of the configuration.
    package init(_ node: YAMLNode, in subject: String, short: String? = nil, _ context: ReadingContext) {
        self.subject = subject
        self.context = context
        location = node.location
        countBefore = context.report.count
        self.node = node
        isOutlining = context.outline != nil
        outline = context.outline?.begin(short: short)
        if let short, node.mapping == nil, !node.isNull {
            pairs = [YAMLNode.Pair(short, at: node.location, node)]
        } else {
            pairs = node.mapping
        }
    }

    /// The keys that a reader asks for. The reader runs on an empty mapping, and its reports are dropped.
    package static func keys(_ read: (inout FieldReader) -> Void) -> [Key] {
        let nowhere = SourceLocation(file: "", line: 1, column: 1)
        var fields = FieldReader(YAMLNode(.mapping([]), at: nowhere), in: "", ReadingContext())
        read(&fields)
        return fields.keys
    }

    package var report: Report { context.report }

    /// Reads a required key. `finish()` reports a missing one.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - type: the type of its value.
    ///   - meaning: the description of the key, for the schema.
    /// - Returns: `nil` if the key is missing, or after reporting an error in its value.
    package mutating func required<Value>(
        _ name: String, _ type: FieldType<Value>, _ meaning: String = ""
    ) -> Value? {
        add(name, type, meaning, isRequired: true)
        if isOutlining { return nil }
        guard let pairs else { return nil }
        if let pair = pairs.first(where: { $0.key == name }) { return type.read(pair.value, context) }
        addMissing(name, type.expected)
        return nil
    }

    /// Reads an optional key.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - type: the type of its value.
    ///   - meaning: the description of the key, for the schema.
    /// - Returns: `nil` if the key is not given, or after reporting an error in its value.
    package mutating func optional<Value>(
        _ name: String, _ type: FieldType<Value>, _ meaning: String = ""
    ) -> Value? {
        add(name, type, meaning, isRequired: false)
        if isOutlining { return nil }
        return pairs?.first { $0.key == name }.flatMap { type.read($0.value, context) }
    }

    /// Whether a key is given.
    func has(_ name: String) -> Bool {
        pairs?.contains { $0.key == name } ?? false
    }

    /// The text of the value of a key; `nil` if the key is not given or its value is not a scalar.
    func text(of name: String) -> String? {
        pairs?.first { $0.key == name }?.value.scalar?.text.text
    }

    /// Whether there is a mapping to read.
    var isReading: Bool { !isOutlining && pairs != nil }

    /// Notes a rule for the schema.
    func add(_ rule: KeyRule) {
        outline?.add(rule)
    }

    /// Adds a missing key, which `finish()` reports.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - expected: the description of its type.
    ///   - others: keys that may be given in its place.
    mutating func addMissing(_ name: String, _ expected: String, or others: [String] = []) {
        if pairs != nil { missing.append(([name] + others, "\(subject) needs '\(name)', \(expected)")) }
    }

    /// The location of a key, for a message about it and other keys.
    ///
    /// It is that of the mapping if the key is not given, and that of the template if the value comes from a template.
    package func location(of name: String) -> SourceLocation {
        guard let pair = pairs?.first(where: { $0.key == name }) else { return location }
        if context.templates.isEmpty { return pair.keyLocation }
        return pair.value.locations.first(where: context.templates.contains) ?? pair.keyLocation
    }

    /// The location of the value of a key, for a message about it alone.
    package func valueLocation(of name: String) -> SourceLocation {
        guard context.templates.isEmpty, let pair = pairs?.first(where: { $0.key == name }) else {
            return location(of: name)
        }
        return pair.value.location
    }

    /// The most names that a message lists.
    private static let mostListedNames = 8

    /// Reports unknown and missing keys, or that the node is not a mapping.
    ///
    /// A key that is only misspelt is not reported as missing.
    ///
    /// - Parameters:
    ///   - advice: what to write in place of some unknown keys, which other programs have.
    ///   - misplaced: names that belong elsewhere in the configuration, with an explanation.
    ///   - example: returns what to write in place of a value that is not a mapping; `nil` without an example.
    /// - Returns: whether there is no error in the mapping.
    package func finish(
        advice: [String: String] = [:], misplaced: [String: String] = [:],
        example: (YAMLNode) -> String? = { _ in nil }
    ) -> Bool {
        if isOutlining { return false }
        let names = keys.map(\.name)
        guard pairs != nil else {
            let example = example(node).map { "; write \($0)" } ?? ""
            let isLong = names.count > Self.mostListedNames && !example.isEmpty
            let keys = isLong ? "" : " of \(names.joined(separator: ", "))"
            report.add("\(subject) needs a mapping\(keys); found \(node.described)\(example)", at: location)
            return false
        }
        let unknown = (pairs ?? []).filter { !names.contains($0.key) }
        // The search for a hint is slow, and a full report needs no more of them.
        let meant = unknown.map {
            report.isFull || misplaced[$0.key] != nil ? nil : NearestName.name(to: $0.key, in: names)
        }
        let isAdvised = unknown.contains { advice[$0.key] != nil }
        for (keys, message) in missing where !isAdvised && !meant.contains(where: { $0.map(keys.contains) ?? false }) {
            report.add(message, at: location)
        }
        for pair in unknown {
            if let place = misplaced[pair.key] {
                report.add("'\(pair.key)' is \(place)", at: pair.keyLocation)
                continue
            }
            let known =
                switch names.count {
                case 0: "; it takes none"
                case 1: "; it takes only '\(names[0])'"
                case ...Self.mostListedNames: "; it takes \(names.joined(separator: ", "))"
                default: "; rxwatchd.yaml(5) lists its keys"
                }
            let hint =
                advice[pair.key].map { "; \($0)" } ?? Self.hint(forForeign: pair.key, in: names)
                ?? report.hint(for: pair.key, in: names) ?? known
            report.add("unknown key '\(pair.key.shortened)' in \(subject)\(hint)", at: pair.keyLocation)
        }
        return report.count == countBefore
    }

    private mutating func add<Value>(
        _ name: String, _ type: FieldType<Value>, _ meaning: String, isRequired: Bool
    ) {
        // The schema is made lazily, since readings of a configuration do not use it.
        let key = Key(name: name, expected: type.expected, meaning: meaning, isRequired: isRequired) { type.schema }
        keys.append(key)
        outline?.add(key)
    }
}
