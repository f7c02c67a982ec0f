import RxDiagnostics
import RxYAML

/// Replaces the references `${…}` in the texts of a parsed configuration. A value is always part of one text, never of
/// the YAML structure. Keys are not changed.
///
/// Not `Sendable`: an instance processes one configuration.
struct Substituter {
    /// The largest size of all inserted values together, in bytes of UTF-8.
    static let maximumSize = YAMLReader.maximumSize
    /// The deepest nesting of references in each other's defaults.
    static let maximumDepth = 32

    let substitution: Substitution
    let report: Report
    private var size = 0
    private var credentials: [String: String] = [:]
    /// The name of each credential, with the location of its first reference.
    private(set) var references: [(name: String, location: SourceLocation)] = []
    private var referenced: Set<String> = []

    init(_ substitution: Substitution, _ report: Report) {
        self.substitution = substitution
        self.report = report
    }

    mutating func apply(to node: YAMLNode) -> YAMLNode {
        var node = node
        switch node.value {
        case .scalar(let scalar):
            // Most texts contain no reference.
            guard scalar.text.text.utf8.contains(UInt8(ascii: "$")) else { return node }
            var line = SubstitutedText(scalar.text)
            let scanner = ReferenceScanner(scalar.text)
            put(scanner.parts(), of: scanner, into: &line, depth: 0)
            node.value = .scalar(
                YAMLNode.Scalar(line.text, isPlain: scalar.isPlain, isSecret: scalar.isSecret || line.isSecret))
        case .sequence(let nodes):
            node.value = .sequence(nodes.map { apply(to: $0) })
        case .mapping(let pairs):
            node.value = .mapping(pairs.map { YAMLNode.Pair($0.key, at: $0.keyLocation, apply(to: $0.value)) })
        }
        return node
    }

    private mutating func put(
        _ parts: [ReferenceScanner.Part], of scanner: ReferenceScanner, into line: inout SubstitutedText, depth: Int
    ) {
        for part in parts {
            switch part {
            case .text(let range): line.append(range)
            case .wrong(let message, let offset): report.add(message, at: line.source.location(at: offset))
            case .reference(let reference, let offset):
                put(reference, at: offset, of: scanner, into: &line, depth: depth)
            }
        }
    }

    private mutating func put(
        _ reference: ReferenceScanner.Reference, at offset: Int, of scanner: ReferenceScanner,
        into line: inout SubstitutedText, depth: Int
    ) {
        let place = line.source.location(at: offset)
        switch reference {
        case .credential(let name):
            guard let value = credential(name, at: place) else { return }
            line.isSecret = true
            put(value, at: offset, into: &line)
        case .variable(let name, let fallback):
            let value = substitution.environment[name]
            switch fallback {
            case .nothing:
                if let value { return put(value, at: offset, into: &line) }
                let near = report.isFull ? "" : NearestName.hint(for: name, in: substitution.environment.keys.sorted())
                let advice = ReferenceScanner.advice(for: name)
                let remedy =
                    near.isEmpty
                    ? "; set it with Environment=\(name)=VALUE in the service, give a default with ${\(name):-VALUE}, or "
                        + advice
                    : "\(near) (\(advice))"
                report.add("the environment variable '\(name)' is not set\(remedy)", at: place)
            case .text(let range):
                if let value, !value.isEmpty { return put(value, at: offset, into: &line) }
                guard depth < Self.maximumDepth else {
                    report.add("defaults are nested more than \(Self.maximumDepth) levels deep", at: place)
                    return
                }
                put(scanner.parts(in: range), of: scanner, into: &line, depth: depth + 1)
            case .failure(let message):
                if let value, !value.isEmpty { return put(value, at: offset, into: &line) }
                report.add("\(name): \(message.isEmpty ? "the environment variable is not set" : message)", at: place)
            }
        }
    }

    private mutating func put(_ value: String, at offset: Int, into line: inout SubstitutedText) {
        size += value.utf8.count
        guard size <= Self.maximumSize else {
            let limit = Self.maximumSize >> 20
            report.add(
                "the values of variables and credentials exceed \(limit) MiB", at: line.source.location(at: offset))
            // Reported only once, at the first value beyond the limit.
            size = .min
            return
        }
        if size >= 0 { line.append(value, at: offset) }
    }

    private mutating func credential(_ name: String, at place: SourceLocation) -> String? {
        if referenced.insert(name).inserted { references.append((name, place)) }
        if let known = credentials[name] { return known }
        if substitution.isCheck, substitution.credentials == nil { return report.secrets.insert(unknown: name) }
        do {
            let value = try Credential.read(name, in: substitution.credentials)
            report.secrets.insert(value, named: name)
            if let warning = Secrets.warning(about: value, named: name) { report.warn(warning, at: place) }
            credentials[name] = value
            return value
        } catch {
            report.add(error.message, at: place)
            return nil
        }
    }
}

/// A text whose references are being replaced, with the locations of its characters.
struct SubstitutedText {
    /// The text in the file.
    let source: LocatedText
    var isSecret = false
    private let sourceScalars: [Unicode.Scalar]
    private var scalars = String.UnicodeScalarView()
    private var count = 0
    private var marks: [LocatedText.Mark] = []

    init(_ source: LocatedText) {
        self.source = source
        sourceScalars = Array(source.text.unicodeScalars)
    }

    /// The text so far. An empty text has the location of the source.
    var text: LocatedText {
        LocatedText(String(scalars), file: source.file, marks: marks.isEmpty ? source.marks(of: 0..<0) : marks)
    }

    /// Appends a part of the source unchanged.
    mutating func append(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        for var mark in source.marks(of: range) {
            mark.offset += count
            marks.append(mark)
        }
        scalars.append(contentsOf: sourceScalars[range])
        count += range.count
    }

    /// Appends the value of the reference at an offset of the source.
    mutating func append(_ value: String, at offset: Int) {
        guard !value.isEmpty else { return }
        let place = source.location(at: offset)
        marks.append(.init(offset: count, line: place.line, column: place.column, isSubstituted: true))
        scalars.append(contentsOf: value.unicodeScalars)
        count += value.unicodeScalars.count
    }
}
