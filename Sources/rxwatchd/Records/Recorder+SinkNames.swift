import RxPipelines

extension Recorder {
    /// Records the names of a pipeline's sinks if their numbers are not in the order of the configuration.
    func recordSinkNames(of next: Generation, after previous: Generation?) {
        for pipeline in next.plan.pipelines {
            let sinkNames = next.graph.sinkNames[pipeline.name] ?? SinkNames()
            if sinkNames.isInOrder || sinkNames == previous?.graph.sinkNames[pipeline.name] { continue }
            let names = sinkNames.sinks.map(\.name).joined(separator: ", ")
            record(
                .sink, .notice,
                "\(pipeline.name): the sinks keep their names: in the order of the configuration, \(names)",
                [.pipeline: pipeline.name])
        }
    }
}
