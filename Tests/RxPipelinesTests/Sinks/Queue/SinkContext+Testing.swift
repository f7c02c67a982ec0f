import TestSupport

@testable import RxPipelines

extension SinkContext {
    /// The context of a sink of the pipeline `p`.
    static func test(
        host: Host = .inline(), _ records: Cell<[Record]> = Cell([]),
        whenNoted: @escaping SinkContext.WhenNoted = { _ in false }
    ) -> SinkContext {
        SinkContext(
            pipeline: "p", currentGeneration: { 1 }, host: host, records: SinkRecords(records),
            printLine: { $1.end(.written) }, whenNoted: whenNoted)
    }
}
