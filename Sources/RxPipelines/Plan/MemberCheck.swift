import RxDiagnostics

/// Warns about expressions that read a member that the events of their source never have, such as `.code` of a response, or
/// compare a member with a constant that it never is, such as a number with a text.
///
/// It follows the values of a source up to the first step that makes others.
struct MemberCheck {
    /// What is known of the values that a node emits, and the source from which they come.
    private typealias KnownValues = (source: String, type: ValueType)

    private let sources: [(name: String, kind: any SourceKind)]
    private let order: [(name: String, builder: PipelineBuilder)]
    private let report: Report

    /// - Parameter order: the pipelines, each after those it starts from.
    init(
        _ sources: [(name: String, kind: any SourceKind)], _ order: [(name: String, builder: PipelineBuilder)],
        _ report: Report
    ) {
        (self.sources, self.order, self.report) = (sources, order, report)
    }

    func check() {
        var known: [String: KnownValues] = [:]
        for source in sources { known[source.name] = (source.name, source.kind.valueType) }
        // They take failures, too, whose values have other members.
        let receivers = Set(order.flatMap { $0.builder.onError.pipelines.map(\.text) })
        for (name, builder) in order where !receivers.contains(name) {
            guard builder.inputs.combination == nil, let input = builder.inputs.members.first,
                let values = known[input.node.text]
            else { continue }
            known[name] = checkSteps(of: builder, values)
            guard let emitted = known[name] else { continue }
            for expression in builder.sinks.flatMap(\.templateExpressions) { check(expression, emitted) }
        }
    }

    private func check(_ expression: LocatedText, _ values: KnownValues) {
        ExpressionWarnings.checkMembers(of: expression, in: values.type, ofSource: values.source, report)
    }

    /// - Returns: what is known of the values that the pipeline emits.
    private func checkSteps(of builder: PipelineBuilder, _ values: KnownValues) -> KnownValues? {
        for step in builder.steps {
            if let expression = step.kind.valueExpression { check(expression.text, values) }
            if !step.kind.keepsValues { return nil }
        }
        return values
    }
}
