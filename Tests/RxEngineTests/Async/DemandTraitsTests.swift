import RxEngine
import TestSupport
import Testing

/// Back-pressure on sequences that cannot fail.
@Suite(.balanced) struct DemandTraitsTests {
    private static let infallibles: [(name: String, chain: @Sendable (Infallible<Int>, Demand) -> Infallible<Int>)] = [
        ("nothing", { source, _ in source }),
        ("map", { source, _ in source.map { $0 } }),
        (
            "concatMap",
            { source, demand in
                source.counted(in: demand) {
                    $0.concatMap { value in
                        Single.create {
                            await Task.yield()
                            return value
                        }
                    }
                }
            }
        ),
    ]

    @Test(arguments: infallibles.indices, [1, 3])
    func sourceOfInfallibleIsNeverMoreThanLimitAhead(_ index: Int, limit: Int) async throws {
        let demand = Demand(limit: limit)
        let counter = PullCounter()
        let chain = Self.infallibles[index].chain(counter.numbers(upTo: 20).asInfallible(demand: demand), demand)
        var received: [Int] = []
        var iterator = chain.values(demand: demand).makeAsyncIterator()
        try await eventually("\(limit) are made") { counter.made == limit }
        while true {
            counter.request()
            guard let element = await iterator.next() else { break }
            received.append(element)
            let expected = min(20, received.count + limit)
            try await eventually("the source is \(limit) ahead") { counter.made == expected }
        }
        #expect(received == Array(1...20))
        #expect(counter.largestLead <= limit)
        try await eventually("nothing is in flight") { demand.inFlight == 0 }
    }

    /// The main scheduler queues elements. They count until it has delivered them.
    @Test @MainActor func sourceOfDriverIsNeverMoreThanLimitAhead() async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        let driver = counter.numbers(upTo: 20).asDriver(demand: demand).map { $0 * 10 }
            .counted(in: demand) { $0.delay(.microseconds(100)) }
        var received: [Int] = []
        var iterator = driver.values(demand: demand).makeAsyncIterator()
        try await eventually("two are made") { counter.made == 2 }
        while true {
            counter.request()
            guard let element = await iterator.next() else { break }
            received.append(element)
            let expected = min(20, received.count + 2)
            try await eventually("the source is two ahead") { counter.made == expected }
        }
        #expect(received == (1...20).map { $0 * 10 })
        #expect(counter.largestLead <= 2)
        try await eventually("nothing is in flight") { demand.inFlight == 0 }
    }

    /// Nothing counts at the end of the chain: an element counts until the main scheduler has delivered it.
    @Test @MainActor func mainQueueHoldsNoMoreThanLimit() async throws {
        let demand = Demand(limit: 3)
        let counter = PullCounter()
        let received = Cell<[Int]>([])
        let subscription = counter.numbers(upTo: 50).asSignal(demand: demand).emit(onNext: { value in
            counter.request()
            received.append(value)
        })
        try await eventually("all are received") { received.value.count == 50 }
        #expect(received.value == Array(1...50))
        #expect(counter.largestLead <= 3)
        subscription.dispose()
        try await eventually("nothing is in flight") { demand.inFlight == 0 }
    }

    @Test @MainActor func sourceWaitsForSlowestSubscriber() async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        let signal = counter.numbers(upTo: 10).asSignal(demand: demand)
        var (fast, slow) = (
            signal.values(demand: demand).makeAsyncIterator(), signal.values(demand: demand).makeAsyncIterator()
        )
        // Each of the elements is queued twice.
        try await eventually("the source waits") { demand.inFlight >= 2 && counter.made <= 2 }
        #expect(await fast.next() == 1)
        for _ in 0..<50 { await Task.yield() }
        #expect(counter.made <= 2)
        #expect(await slow.next() == 1)
        #expect(await slow.next() == 2)
        #expect(await fast.next() == 2)
        try await eventually("the source goes on") { counter.made > 2 }
    }

    @Test func sourceThatCannotWaitFollowsBufferingPolicy() async {
        let demand = Demand(limit: 2)
        let subject = PublishSubject<Int>()
        let infallible = subject.asInfallible(onErrorJustReturn: 0)
        let all = infallible.values(demand: demand)
        let newest = infallible.values(demand: demand, bufferingPolicy: .bufferingNewest(2))
        let oldest = infallible.values(bufferingPolicy: .bufferingOldest(1))
        for value in 0..<10 { subject.onNext(value) }
        #expect(demand.inFlight == 12)
        subject.onCompleted()
        #expect(demand.inFlight == 12)
        #expect(await newest.reduce(into: []) { $0.append($1) } == [8, 9])
        #expect(await all.reduce(into: []) { $0.append($1) } == Array(0..<10))
        #expect(demand.inFlight == 0)
        #expect(await oldest.reduce(into: []) { $0.append($1) } == [0])
    }

    @Test func cancellingIterationDisposesAndStopsCounting() async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        let received = Cell(0)
        let task = Task {
            for await _ in counter.numbers(upTo: .max).asInfallible(demand: demand).values(demand: demand) {
                received.update { $0 += 1 }
                for await _ in AsyncStream<Int>.makeStream().stream {}
            }
        }
        try await eventually("the source waits") { received.value == 1 && counter.made == 3 }
        task.cancel()
        try await eventually("the source has ended") { counter.running == 0 && demand.inFlight == 0 }
        await task.value
    }

    @Test func sequenceWithoutErrorsBecomesInfallible() async {
        let source = AsyncStream<Int> { continuation in
            for value in 1...3 { continuation.yield(value) }
            continuation.finish()
        }
        #expect(await source.asInfallible().values.reduce(into: []) { $0.append($1) } == [1, 2, 3])
    }
}
