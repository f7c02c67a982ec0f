import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxYAML

/// The jq expression of a step.
package struct Expression: Sendable {
    /// The keys in a configuration whose values are expressions.
    static let keys: Set<String> = [
        "by", "compactMap", "distinctUntilChanged", "filter", "key", "map", "next", "single", "skipWhile", "takeWhile",
    ]

    let text: LocatedText
    fileprivate let step: String
    fileprivate let program: JQProgram

    /// Reads an expression; `nil` after reporting an error.
    ///
    /// - Parameters:
    ///   - node: the node.
    ///   - step: the name of the step, for messages.
    ///   - example: an example, for messages.
    ///   - bound: the variables that it may use besides `$event`.
    ///   - isCondition: whether only the truth of its output matters.
    ///   - context: the context of the configuration.
    init?(
        _ node: YAMLNode, of step: String, example: String, binding bound: [String] = [], isCondition: Bool = false,
        _ context: ReadingContext
    ) {
        guard let text = FieldType.jq(example: example).read(node, context) else { return nil }
        self.text = text
        self.step = step
        do {
            program = try JQProgram(text, variables: ["event"] + bound, in: context.expressions)
            context.keep(program.locationCell)
            ExpressionWarnings.check(text, isCondition: isCondition, context.report)
        } catch {
            context.report.add(error)
            return nil
        }
    }

    /// The first output of the expression for an event; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - values: the values of the variables besides `$event`.
    ///   - context: the context of the step.
    func first(
        _ event: PipelineEvent, _ values: [String: JQValue] = [:], in context: StepContext
    ) throws(StepError) -> JQValue? {
        var bound: [String: JQValue] = [:]
        for name in program.variables {
            bound[name] = name == "event" ? JQValue(event.binding) : values[name] ?? .null
        }
        let first: JQValue?
        do { first = try program.run(event.content, bound, in: context.arena).first } catch {
            throw failure(error.message, on: event)
        }
        guard let first, !context.host.memory.allows(made: first.memory) else { return first }
        throw failure(
            "no memory for its result of \(memoryText(first.memory)): \(context.host.memory.shortage)", on: event)
    }
}

extension Expression {
    /// The error of the step for an event.
    func failure(_ message: String, on event: PipelineEvent) -> StepError {
        StepError(step: step, location: program.location, event: event, message: message)
    }
}

extension Observable where Element == PipelineEvent {
    /// Adds the first output of an expression to each event.
    ///
    /// - Parameters:
    ///   - expression: the expression.
    ///   - context: the context of the step.
    ///   - check: called with the output and the event, which fails if it throws.
    func keyed(
        by expression: Expression, in context: StepContext,
        _ check: @escaping @Sendable (JSON, PipelineEvent) throws -> Void = { _, _ in }
    ) -> Observable<(event: PipelineEvent, key: JSON)> {
        compactMap { event in
            try context.attempt(event) {
                let key = try expression.first(event, in: context)?.json ?? .null
                try check(key, event)
                return (event: event, key: key)
            }
        }
    }
}

extension FieldType where Value == Expression {
    /// The expression of the step named `step`.
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
        let text = FieldType.text("a jq expression", example: example, pattern: #"\S"#)
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard node.mapping?.isEmpty == false else { return text.read(node, context) }
            return context.report.wrong(
                node, text.expected, advice: #"; to make an object, put the expression in quotes: "{a: 1}""#)
        }
    }
}

extension FieldType where Value == JSON {
    /// Any value.
    static var value: Self {
        FieldType("a value", schema: [:]) { node, context in node.json(context.report) }
    }
}
