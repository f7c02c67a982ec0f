import RxDiagnostics
import RxJSON

/// An entry under `tests:`: marble diagrams of the events that some nodes emit and that others must emit then.
package struct PlannedTest: Sendable {
    /// A node and its marble diagram, in which each character is a frame.
    package typealias Diagram = (node: LocatedText, text: String)

    /// The duration of a frame.
    package let frame: Duration
    package let inputs: [Diagram]
    /// The values of characters in diagrams that do not stand for themselves.
    package let values: [(name: String, value: JSON)]
    package let expect: [Diagram]

    /// The nodes that it names.
    var references: [LocatedText] { (inputs + expect).map(\.node) }
}

extension FieldType where Value == PlannedTest {
    static var test: Self {
        FieldType("a mapping with 'inputs' and 'expect'", schema: ["type": "object"]) { node, context in
            var fields = Fields(node, in: "the test", context)
            let diagrams = FieldType<[(name: String, location: SourceLocation, value: String)]>.map(
                of: .string("a diagram", example: "\"-a-b-|\""), names: NodeNames.pattern)
            let frame = fields.optional(
                "frame", .duration(.milliseconds(1) ... .seconds(366 * 86_400)),
                "The time that one character of a diagram stands for; default: 1s")
            let inputs = fields.optional("inputs", diagrams, "What nodes emit, as diagrams")
            let values = fields.optional(
                "values", .map(of: .value), "The values that characters of the diagrams stand for")
            let expect = fields.required("expect", diagrams, "What nodes must emit, as diagrams")
            guard fields.finish(), let expect else { return nil }
            func located(_ list: [(name: String, location: SourceLocation, value: String)]) -> [PlannedTest.Diagram] {
                list.map { (LocatedText($0.name, at: $0.location), $0.value) }
            }
            return PlannedTest(
                frame: frame ?? .seconds(1), inputs: located(inputs ?? []),
                values: (values ?? []).map { ($0.name, $0.value) }, expect: located(expect))
        }
    }
}
