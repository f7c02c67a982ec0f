import RxDiagnostics
import RxJSON
import RxMarbles

/// An entry under `tests:`: marble diagrams of the events that some nodes emit and that others must emit then.
package struct PlannedTest: Sendable {
    /// The marble diagram of the events of a node.
    struct Diagram: Sendable {
        let node: LocatedText
        let events: MarbleDiagram
    }

    /// The duration of a frame.
    let frame: Duration
    let inputs: [Diagram]
    /// The diagrams of the sources that the steps of a pipeline start, in the order in which they start.
    let results: [(pipeline: LocatedText, diagrams: [MarbleDiagram])]
    let values: TestValues
    let expect: [Diagram]

    /// The nodes that the test names.
    var references: [LocatedText] { (inputs + expect).map(\.node) + results.map(\.pipeline) }

    /// The time after which nothing counts: the length of its longest diagram.
    var length: Duration {
        let frames = (inputs + expect).map(\.events.end).max() ?? 0
        return frame * frames
    }
}

extension FieldType where Value == PlannedTest {
    static var test: Self {
        FieldType("a mapping with 'inputs' and 'expect'", schema: ["type": "object"]) { node, context in
            var fields = FieldReader(node, in: "the test", context)
            let diagram = FieldType<LocatedText>.text("a diagram", example: "\"-a-b-|\"")
            let diagrams = FieldType<[(name: String, location: SourceLocation, value: LocatedText)]>.map(
                of: diagram, names: NodeNames.pattern)
            let frame =
                fields.optional(
                    "frame", .duration(.milliseconds(1) ... .longestInConfig),
                    "The time that one character of a diagram stands for; default: 1s") ?? .seconds(1)
            let inputs = fields.optional("inputs", diagrams, "What nodes emit, as diagrams")
            let results = fields.optional(
                "results", .map(of: .oneOrMore(of: diagram), names: NodeNames.pattern),
                "What the sources in the steps of pipelines emit, a diagram for each that starts")
            let values = fields.optional(
                "values", .map(of: .value), "The values that characters of the diagrams stand for")
            let expect = fields.required("expect", diagrams, "What nodes must emit, as diagrams")
            guard fields.finish(), let expect else { return nil }

            let reader = TestDiagramReader(frame, TestValues(values ?? [], context.report), context.report)
            func read(_ list: [(name: String, location: SourceLocation, value: LocatedText)]) -> [PlannedTest.Diagram] {
                list.compactMap { name, location, text in
                    reader.events(text).map { .init(node: LocatedText(name, at: location), events: $0) }
                }
            }
            return PlannedTest(
                frame: frame, inputs: read(inputs ?? []),
                results: (results ?? []).map { name, location, texts in
                    (LocatedText(name, at: location), texts.compactMap { reader.result($0) })
                }, values: reader.values, expect: read(expect))
        }
    }
}

/// Reads the diagrams of a test, and reports their errors.
private struct TestDiagramReader {
    let frame: Duration
    let values: TestValues
    private let report: Report

    init(_ frame: Duration, _ values: TestValues, _ report: Report) {
        self.frame = frame
        self.values = values
        self.report = report
    }

    /// Reads the events of a node; `nil` after reporting an error.
    func events(_ text: LocatedText) -> MarbleDiagram? {
        read(text, refusing: ["#": "the steps of a pipeline drop an event that they fail on, and go on"])
    }

    /// Reads the events of a source in a pipeline's steps; `nil` after reporting an error.
    func result(_ text: LocatedText) -> MarbleDiagram? { read(text, refusing: [:]) }

    private func read(_ text: LocatedText, refusing marks: [Unicode.Scalar: String]) -> MarbleDiagram? {
        let refused = marks.merging(["^": "a test begins with the first character of its diagrams"]) { first, _ in first
        }
        for (offset, scalar) in text.text.unicodeScalars.enumerated() {
            if let reason = refused[scalar] {
                report.add("'\(scalar)' is not allowed in this diagram: \(reason)", at: text.location(at: offset))
                return nil
            }
        }
        do throws(MarbleError) {
            return try MarbleDiagram(text.text, frame: frame) { values[$0] != nil }
        } catch {
            report.add(error.problem, at: text.location(at: error.column - 1))
            return nil
        }
    }
}
