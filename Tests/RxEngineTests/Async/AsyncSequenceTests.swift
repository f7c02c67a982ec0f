import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct AsyncSequenceTests {
    private func record<Source: AsyncSequence & Sendable>(
        _ source: Source
    ) async throws -> [String] where Source.Element == Int {
        let log = Cell<[String]>([])
        let isDone = Cell(false)
        _ = source.asObservable().subscribe(
            onNext: { log.append("\($0)") }, onError: { log.append("\($0)") }, onCompleted: { log.append("end") },
            onDisposed: { isDone.update { $0 = true } }
        )
        try await eventually("the sequence has ended") { isDone.value }
        return log.value
    }

    private func stream(_ events: Result<Int, any Error>...) -> AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { continuation in
            for event in events {
                switch event {
                case .success(let value): continuation.yield(value)
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
            continuation.finish()
        }
    }

    @Test func elementsAndCompletionAreEmitted() async throws {
        #expect(try await record(stream(.success(1), .success(2))) == ["1", "2", "end"])
    }

    @Test func errorIsEmitted() async throws {
        #expect(try await record(stream(.success(1), .failure(TestError("oh")))) == ["1", "oh"])
    }

    @Test func cancellationErrorCompletesSequence() async throws {
        #expect(try await record(stream(.success(1), .failure(CancellationError()))) == ["1", "end"])
    }

    @Test func eachSubscriptionIteratesAnew() async throws {
        struct Count: AsyncSequence {
            struct Iterator: AsyncIteratorProtocol {
                var value = 0
                mutating func next() async -> Int? {
                    value += 1
                    return value > 3 ? nil : value
                }
            }
            func makeAsyncIterator() -> Iterator { Iterator() }
        }
        for _ in 0..<2 { #expect(try await record(Count()) == ["1", "2", "3", "end"]) }
    }

    @Test func disposingCancelsTaskAndStopsDelivery() async throws {
        let log = Cell<[Int]>([])
        let isCancelled = Cell(false)
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.onTermination = { _ in isCancelled.update { $0 = true } }
        let subscription = stream.asObservable(priority: .high).subscribe(
            onNext: { log.append($0) }, onCompleted: { log.append(-1) }
        )
        continuation.yield(1)
        try await eventually("the first element is received") { log.value == [1] }
        subscription.dispose()
        continuation.yield(2)
        try await eventually("the task is cancelled") { isCancelled.value }
        #expect(log.value == [1])
    }

    @Test func elementsAfterDisposeAreDroppedIfCancellationIsIgnored() async throws {
        /// A sequence whose iterator ignores cancellation, and waits until `isOpen` is set.
        struct UncancellableSequence: AsyncSequence, Sendable {
            let isOpen: Cell<Bool>
            let isWaiting: Cell<Bool>
            let steps: Cell<Int>
            struct Iterator: AsyncIteratorProtocol {
                let isOpen: Cell<Bool>
                let isWaiting: Cell<Bool>
                let steps: Cell<Int>
                mutating func next() async -> Int? {
                    isWaiting.update { $0 = true }
                    while !isOpen.value { await Task.yield() }
                    steps.update { $0 += 1 }
                    return 1
                }
            }
            func makeAsyncIterator() -> Iterator { Iterator(isOpen: isOpen, isWaiting: isWaiting, steps: steps) }
        }
        let (isOpen, isWaiting, steps, received) = (Cell(false), Cell(false), Cell(0), Cell(0))
        let subscription = UncancellableSequence(isOpen: isOpen, isWaiting: isWaiting, steps: steps).asObservable()
            .subscribe(onNext: { _ in received.update { $0 += 1 } }, onCompleted: { received.update { $0 += 1 } })
        try await eventually("the iterator waits") { isWaiting.value }
        subscription.dispose()
        isOpen.update { $0 = true }
        try await eventually("the iterator was called") { steps.value == 1 }
        #expect(received.value == 0)
    }
}
