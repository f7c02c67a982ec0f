import RxDiagnostics
import RxJSON

/// An entry under `tests:`: in diagrams, what some nodes emit, and what others must make of it.
package struct PlannedTest: Sendable {
    /// What a node emits, or must emit: a character a frame.
    package typealias Diagram = (node: LocatedText, text: String)

    /// How long a character of a diagram stands for.
    package let frame: Duration
    package let inputs: [Diagram]
    /// What characters stand for that are not themselves JSON.
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
            let frame = fields.optional("frame", .duration(.milliseconds(1) ... .seconds(366 * 86_400)))
            let inputs = fields.optional("inputs", diagrams)
            let values = fields.optional("values", .map(of: .value))
            let expect = fields.required("expect", diagrams)
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
