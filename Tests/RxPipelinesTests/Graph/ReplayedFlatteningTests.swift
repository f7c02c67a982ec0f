import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

/// Steps that start inner sources from events.
@Suite(.balanced) struct ReplayedFlatteningTests {
    /// Starting an inner source is an action, like a sink's: a reload does not repeat it.
    @Test(arguments: ["flatMap", "flatMapFirst", "flatMapLatest", "concatMap"])
    func replayedEventStartsNoInnerSource(step: String) throws {
        let rig = ReloadRig()
        func config(_ name: String) -> String {
            """
            sources: { s: { interval: 1h } }
            pipelines:
              p:
                from: s
                steps: [map: '"\(name) \\(.)"', \(step): { interval: { every: '{{error("no")}}' } }]
                to: [stdout]
            """
        }
        // Each inner source that is started fails.
        let errors = try errors {
            try rig.run(config("first"))
            rig.emit(1)
            for name in ["second", "third"] { try rig.run(config(name)) }
            rig.emit(2)
            #expect(rig.end() == [])
        }
        #expect(errors.compactMap { ($0 as? PipelineError)?.failedEvent?.sequence } == [0, 1])
    }
}
