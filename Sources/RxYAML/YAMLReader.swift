import RxDiagnostics

/// Reads a YAML file into a tree of nodes with places.
///
/// Made for a file that may be hostile: size, depth and the number of nodes after alias expansion are limited, and
/// everything a config has no use for (several documents, keys that are not texts, tags of one's own) is an error.
/// A broken text ends the reading; duplicate keys are collected, so that all of them are told at once.
package struct YAMLReader {
    /// The most bytes a file may have.
    package static let maximumSize = 1 << 20
    /// The deepest nesting of lists and mappings, what aliases stand for included.
    package static let maximumDepth = 64
    /// The most nodes, each counted as often as aliases repeat it.
    package static let maximumNodes = 100_000
    /// The most text, in bytes of UTF-8, each counted as often as aliases repeat it.
    package static let maximumText = 4 << 20

    let events: YAMLEvents
    let file: String
    let source: [Unicode.Scalar]
    let report: Report
    /// A node that aliases may stand for: how many nodes it holds, how much text, and how many levels.
    struct Anchor {
        var node: YAMLNode
        var size: Int
        var length: Int
        var height: Int
    }

    var anchors: [String: Anchor] = [:]
    /// Anchors of the nodes that are not read to their end yet: an alias to one of them would be a loop.
    var open: Set<String> = []
    var count = 0
    var length = 0
    /// The deepest level met in the node that is being read.
    var deepest = 0

    /// Reads the text of a file; an empty one is an empty mapping.
    package static func read(_ bytes: some Collection<UInt8>, file: String) throws(Diagnostics) -> YAMLNode {
        let report = Report()
        let text = try decode(bytes, file: file)
        report.know(SourceText(file: file, text: text))
        var reader = YAMLReader(events: YAMLEvents(Array(text.utf8)), file: file, source: text, report: report)
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

    private init(events: YAMLEvents, file: String, source: String, report: Report) {
        self.events = events
        self.file = file
        self.source = Array(source.unicodeScalars)
        self.report = report
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
