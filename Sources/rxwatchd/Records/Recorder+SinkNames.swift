import RxPipelines

extension Recorder {
    /// Records the names of the sinks of pipelines where these are not numbered in the order of the config.
    func recordSinkNames(of next: Generation, after previous: Generation?) {
        for pipeline in next.plan.pipelines {
            let allotment = next.graph.sinkAllotments[pipeline.name] ?? SinkAllotment()
            if allotment.isInOrder || allotment == previous?.graph.sinkAllotments[pipeline.name] { continue }
            let names = allotment.sinks.map(\.name).joined(separator: ", ")
            record(
                .sink, .notice, "\(pipeline.name): the sinks keep their names: in the order of the config, \(names)",
                [.pipeline: pipeline.name])
        }
    }
}
