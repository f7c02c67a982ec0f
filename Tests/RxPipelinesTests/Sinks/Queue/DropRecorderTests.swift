import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct DropRecorderTests {
    @Test func longQueueIsRecordedAgainAfterItHasBeenEmpty() {
        let records = Cell<[Record]>([])
        let recorder = DropRecorder(
            SinkContext.test(records), QueuePolicy())
        for (count, recorded) in [(49_999, 0), (50_000, 1), (50_001, 1)] {
            recorder.added(to: count)
            #expect(records.value.count == recorded)
        }
        recorder.endRun()
        for (count, recorded) in [(49_999, 1), (50_001, 2), (50_002, 2)] {
            recorder.added(to: count)
            #expect(records.value.count == recorded)
        }
    }
}
