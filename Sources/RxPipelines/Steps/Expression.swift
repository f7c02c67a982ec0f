import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxYAML

/// A step's jq expression, with the events it is run on.
struct Expression: Sendable {
    private let step: String
    private let program: JQProgram

    /// Reads the expression of the step called `step`; `nil` after reporting what is wrong with it.
    ///
    /// - Parameter bound: the variables that it may use besides `$event`.
    init?(_ node: YAMLNode, of step: String, example: String, binding bound: [String] = [], _ context: ReadingContext) {
        guard let text = FieldType.jq(example: example).read(node, context) else { return nil }
        self.step = step
        do {
            program = try JQProgram(text, variables: ["event"] + bound, in: context.expressions)
            context.keep(program.place)
        } catch {
            context.report.add(error)
            return nil
        }
    }

    /// The expression's first output for an event, `nil` where it has none.
    ///
    /// - Parameter values: what the variables besides `$event` stand for.
    func first(
        _ event: PipelineEvent, _ values: [String: JQValue] = [:], in context: StepContext
    ) throws(StepError) -> JQValue? {
        var bound: [String: JQValue] = [:]
        for name in program.variables {
            bound[name] = name == "event" ? JQValue(event.binding) : values[name] ?? .null
        }
        do {
            return try program.run(event.content, bound, in: context.arena).first
        } catch {
            throw StepError(step: step, location: program.location, event: event, message: error.message)
        }
    }
}

extension Observable where Element == PipelineEvent {
    /// These events, each with what the expression makes of it.
    func keyed(
        by expression: Expression, in context: StepContext
    ) -> Observable<(event: PipelineEvent, key: JSON)> {
        compactMap { event in
            try context.attempt(event) {
                (event: event, key: try expression.first(event, in: context)?.json ?? .null)
            }
        }
    }
}

extension FieldType where Value == Expression {
    /// An expression under a key of the step called `step`.
    static func expression(of step: String, example: String, binding bound: [String] = []) -> Self {
        let text = FieldType<LocatedText>.jq(example: example)
        return FieldType(text.expected, schema: text.schema) { node, context in
            Expression(node, of: step, example: example, binding: bound, context)
        }
    }
}

extension FieldType where Value == LocatedText {
    /// The text of an expression.
    fileprivate static func jq(example: String) -> Self {
        .text("a jq expression", example: example, pattern: #"\S"#)
    }
}

extension FieldType where Value == JSON {
    /// Any value.
    static var value: Self {
        FieldType("a value", schema: [:]) { node, context in node.json(context.report) }
    }
}
