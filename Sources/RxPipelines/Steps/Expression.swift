import RxEngine

/// A step's jq expression, with the events it is run on.
struct Expression: Sendable {
    private let step: String
    private let location: SourceLocation
    private let program: JQProgram
    private let bindsEvent: Bool

    /// Reads the expression of the step called `step`; `nil` after reporting what is wrong with it.
    init?(_ node: YAMLNode, of step: String, example: String, _ report: Report) {
        guard let text = FieldType.text("a jq expression", example: example).read(node, report) else { return nil }
        self.step = step
        location = text.location
        bindsEvent = text.text.contains("$event")
        do {
            program = try JQProgram(text, variables: bindsEvent ? ["event"] : [])
        } catch {
            report.add(Self.complaint(about: text) ?? error)
            return nil
        }
    }

    /// What is wrong with an expression in which `$event` is bound, so that a slip in that name is known for one.
    private static func complaint(about text: LocatedText) -> Diagnostics? {
        do {
            _ = try JQProgram(text, variables: ["event"])
            return nil
        } catch {
            return error
        }
    }

    /// The expression's first output for an event, `nil` where it has none.
    func first(_ event: PipelineEvent) throws(StepError) -> JSON? {
        do {
            return try program.run(event.value, bindsEvent ? ["event": event.binding] : [:]).first
        } catch {
            throw StepError(step: step, location: location, cause: event.cause, message: error.message)
        }
    }
}
