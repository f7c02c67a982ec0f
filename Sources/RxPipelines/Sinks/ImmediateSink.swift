/// A sink that is done with an event when it has taken it.
final class ImmediateSink: OpenSink {
    private let react: @Sendable (PipelineEvent) throws -> Void

    init(_ react: @escaping @Sendable (PipelineEvent) throws -> Void) {
        self.react = react
    }

    func take(_ event: PipelineEvent) throws -> Bool {
        try react(event)
        return true
    }
}
