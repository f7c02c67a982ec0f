import RxDiagnostics

/// Reads a YAML file into a tree of nodes with locations.
///
/// The file may be hostile: size, depth and the number of nodes after alias expansion are limited, and every feature
/// that a configuration does not need (several documents, keys that are not texts, custom tags) is an error.
///
/// A syntax error ends the reading; duplicate keys are collected, so that all of them are reported at once.
package struct YAMLReader {
    /// The most bytes of a file.
    package static let maximumSize = 1 << 20
    /// The deepest nesting of lists and mappings, aliases expanded.
    package static let maximumDepth = 64
    /// The most nodes, counted once for each alias.
    package static let maximumNodes = 100_000
    /// The most text, in bytes of UTF-8, counted once for each alias.
    package static let maximumText = 4 << 20

    let events: YAMLParser
    let file: String
    let source: [Unicode.Scalar]
    let report: Report
    /// A node that aliases may name: its nodes, its text and its levels.
    struct Anchor {
        var node: YAMLNode
        var size: Int
        var length: Int
        var height: Int
    }

    /// The keys whose values are expressions, for advice.
    let expressionKeys: Set<String>
    /// The latest key that was read.
    var latestKey: String?
    var anchors: [String: Anchor] = [:]
    /// The anchors of nodes that are still being read: an alias to one of them would be a cycle.
    var open: Set<String> = []
    var count = 0
    var length = 0
    /// The deepest level of the node that is being read.
    var deepest = 0

    /// Reads the text of a file; an empty one is an empty mapping.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - file: the path of the file.
    ///   - expressionKeys: the keys whose values are expressions, for advice.
    package static func read(
        _ bytes: some Collection<UInt8>, file: String, expressionKeys: Set<String> = []
    ) throws(Diagnostics) -> YAMLNode {
        let report = Report()
        let text = try decode(bytes, file: file)
        report.addSource(SourceText(file: file, text: text))
        var reader = YAMLReader(
            events: YAMLParser(Array(text.utf8)), file: file, source: text, report: report,
            expressionKeys: expressionKeys)
        let node: YAMLNode
        do {
            node = try reader.readDocument()
        } catch {
            report.add(error)
            throw report.all
        }
        try report.throwIfAny()
        return node
    }

    package static func read(_ text: String, file: String) throws(Diagnostics) -> YAMLNode {
        try read(Array(text.utf8), file: file)
    }

    private init(
        events: YAMLParser, file: String, source: String, report: Report, expressionKeys: Set<String>
    ) {
        self.events = events
        self.file = file
        self.source = Array(source.unicodeScalars)
        self.report = report
        self.expressionKeys = expressionKeys
    }

    private mutating func readDocument() throws(Diagnostic) -> YAMLNode {
        var event = try next()
        while case .other = event.kind { event = try next() }
        guard case .documentStart = event.kind else { return YAMLNode(.mapping([]), at: location(event.start)) }
        let first = try next()
        let node = try readNode(first, depth: 0)
        repeat { event = try next() } while event.kind.isDocumentEnd
        if case .documentStart = event.kind {
            throw Diagnostic("a second document begins here; a file holds only one", at: location(event.start))
        }
        return node.isNull ? YAMLNode(.mapping([]), at: node.location) : node
    }

    func next() throws(Diagnostic) -> YAMLEvent {
        do {
            return try events.next()
        } catch {
            throw diagnostic(for: error)
        }
    }

    func location(_ mark: YAMLEvent.Mark) -> SourceLocation {
        SourceLocation(file: file, line: mark.line + 1, column: mark.column + 1)
    }
}

extension YAMLEvent.Kind {
    fileprivate var isDocumentEnd: Bool {
        if case .documentEnd = self { true } else { false }
    }
}
