import Testing

@testable import RxPipelines

/// The numbers of events that wait in a spool.
@Suite struct SpoolBacklogTests {
    private func numbers(_ backlog: borrowing SpoolBacklog) -> [Int] { [backlog.spooled, backlog.spooledBytes] }

    /// A slow disk may take long to remove what the sink has finished.
    @Test func finishedEventsDoNotWait() {
        var backlog = SpoolBacklog(limit: 1000)
        backlog.counted((count: 5, bytes: 50))
        #expect(numbers(backlog) == [5, 50])
        backlog.finish([.init(number: 1, bytes: 10), .init(number: 2, bytes: 12)])
        #expect(numbers(backlog) == [3, 28])
        let first = backlog.next()
        #expect(numbers(backlog) == [3, 28])
        backlog.finish([.init(number: 3, bytes: 8)])
        #expect(numbers(backlog) == [2, 20])
        backlog.refused(first, isFinishedWritten: false)
        #expect(numbers(backlog) == [2, 20])
        let second = backlog.next()
        backlog.wrote(second, bytes: 0, counted: nil)
        #expect(numbers(backlog) == [2, 20])
        #expect(backlog.stored?.count == 2 && backlog.stored?.bytes == 20)
    }

    /// The size of an event that cannot be read is known to the store only, which counts again.
    @Test func unknownSizesAreNoticed() {
        var progress = SpoolBacklog.UnwrittenProgress()
        progress.add([.init(number: 1, bytes: 10)])
        #expect(!progress.hasUnknownSize)
        progress.add([.init(number: 2, bytes: 0)])
        #expect(progress.hasUnknownSize && progress.doneBytes == 10)
    }
}
