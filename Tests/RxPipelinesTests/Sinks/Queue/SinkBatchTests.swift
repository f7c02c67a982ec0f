import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

/// When a batch is over: only then does the next one begin.
@Suite(.balanced) struct SinkBatchTests {
    private func batch(_ names: String..., onOver: @escaping @Sendable () -> Void) -> SinkBatch {
        SinkBatch(
            names.map { PipelineEvent(.string($0), source: "s", sequence: 0, time: 0) },
            SinkContext.test(), onOver: onOver)
    }

    @Test func batchIsOverWhenJobsAndWorkHaveEnded() {
        let over = Cell(0)
        let jobsFirst = batch("a", "b") { over.update { $0 += 1 } }
        jobsFirst.finish(0)
        jobsFirst.finish(0)
        jobsFirst.finish(1)
        #expect(over.value == 0, "its work may still be writing")
        jobsFirst.endWork()
        #expect(over.value == 1)
        let workFirst = batch("a", "b") { over.update { $0 += 1 } }
        workFirst.endWork()
        workFirst.finish(1)
        #expect(over.value == 1)
        workFirst.cancelJob(0)
        #expect(over.value == 2)
    }

    @Test func batchIsOverWhenHoldsHaveEnded() {
        let over = Cell(0)
        let held = batch("a") { over.update { $0 += 1 } }
        let (first, second) = (held.hold(), held.hold())
        held.finish(0)
        held.endWork()
        first()
        #expect(over.value == 0)
        second()
        #expect(over.value == 1)
        let freed = batch("a") { over.update { $0 += 1 } }
        let late = [freed.hold(), freed.hold()]
        freed.finish(0)
        freed.endWork()
        #expect(over.value == 1)
        freed.endHolds()
        #expect(over.value == 2)
        for end in late { end() }
        #expect(over.value == 2)
    }
}
