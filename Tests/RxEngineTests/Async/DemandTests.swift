import Glibc
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct DemandTests {
    private typealias Chain = @Sendable (Observable<Int>, Demand) -> Observable<Int>

    private static let chains: [(name: String, chain: Chain)] = [
        ("nothing", { source, _ in source }),
        ("map", { source, _ in source.map { $0 } }),
        (
            "mapAsync",
            { source, demand in
                source.counted(in: demand) {
                    $0.mapAsync {
                        await Task.yield()
                        return $0
                    }
                }
            }
        ),
        (
            "flatMapAsync",
            { source, demand in
                source.counted(in: demand) { $0.flatMapAsync(maxConcurrent: 3) { $0 } }
            }
        ),
        (
            "observe(on:)",
            { source, demand in
                source.counted(in: demand) {
                    $0.observe(on: SerialDispatchQueueScheduler(internalSerialQueueName: "observe"))
                }
            }
        ),
        (
            "delay",
            { source, demand in
                source.counted(in: demand) {
                    $0.delay(
                        .microseconds(100), scheduler: SerialDispatchQueueScheduler(internalSerialQueueName: "delay"))
                }
            }
        ),
    ]

    @Test(arguments: chains.indices, [1, 2, 5])
    func sourceIsNeverMoreThanLimitAhead(_ index: Int, limit: Int) async throws {
        let demand = Demand(limit: limit)
        let counter = PullCounter()
        let chain = Self.chains[index].chain(counter.numbers(upTo: 40).asObservable(demand: demand), demand)
        var received: [Int] = []
        var iterator = chain.values(demand: demand).makeAsyncIterator()
        // The source begins to fill the queue before anything is requested.
        try await eventually("\(limit) are made") { counter.made == limit }
        while true {
            counter.request()
            guard let element = try await iterator.next() else { break }
            received.append(element)
            // A slow consumer: the source has the time to run ahead.
            let expected = min(40, received.count + limit)
            if received.count % 8 == 0 {
                try await eventually("the source is \(limit) ahead") { counter.made == expected }
            }
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(received.sorted() == Array(1...40))
        #expect(counter.largestLead <= limit)
        #expect(demand.inFlight == 0)
    }

    @Test func droppedElementsMakeRoom() async throws {
        let demand = Demand(limit: 1)
        let counter = PullCounter()
        let source = counter.numbers(upTo: 1000).asObservable(demand: demand).filter { $0 % 100 == 0 }
        #expect(
            try await source.values(demand: demand).reduce(into: []) { $0.append($1) }
                == stride(from: 100, through: 1000, by: 100).map { $0 })
    }

    @Test func elementsThatBecomeSeveralExceedLimitByTheirNumber() async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        let source = counter.numbers(upTo: 100).asObservable(demand: demand).flatMap { Observable.of($0, $0, $0) }
        let values = source.values(demand: demand)
        try await eventually("the source waits") { demand.inFlight == 3 && counter.made == 1 }
        var received: [Int] = []
        for try await element in values {
            received.append(element)
            #expect(demand.inFlight <= 4)
        }
        #expect(received == (1...100).flatMap { [$0, $0, $0] })
    }

    @Test func severalRunsShareLimit() async throws {
        let demand = Demand(limit: 3)
        let counter = PullCounter()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let source = counter.numbers(upTo: 50).asObservable(demand: demand)
                    var iterator = source.values(demand: demand).makeAsyncIterator()
                    var count = 0
                    while true {
                        counter.request()
                        guard try await iterator.next() != nil else { return count }
                        count += 1
                        await Task.yield()
                    }
                }
            }
            let count = try await group.reduce(0, +)
            #expect(count == 200)
        }
        #expect(counter.largestLead <= 3)
        #expect(demand.inFlight == 0)
    }

    /// What is queued for a consumer counts after the end of its sequence, until it is taken or the consumer has gone.
    @Test(arguments: [false, true]) func queuedElementsCountAfterEnd(isInfallible: Bool) async throws {
        let demand = Demand(limit: 3)
        let source = Observable.of(1, 2, 3)
        func check<Values: AsyncSequence<Int, Failure>, Failure: Error>(_ make: () -> Values) async throws {
            var values: Values? = make()
            #expect(demand.inFlight == 3)
            var iterator = values?.makeAsyncIterator()
            #expect(try await iterator?.next() == 1)
            #expect(demand.inFlight == 2)
            (iterator, values) = (nil, nil)
            try await eventually("nothing is in flight") { demand.inFlight == 0 }
        }
        if isInfallible {
            try await check { source.asInfallible(onErrorJustReturn: 0).values(demand: demand) }
        } else {
            try await check { source.values(demand: demand) }
        }
    }

    /// While one source's element is delivered, the others' are posted to that thread. They count all the same.
    @Test(arguments: [1, 3]) func mergedSourcesShareLimit(limit: Int) async throws {
        let demand = Demand(limit: limit)
        let counter = PullCounter()
        let sources = (0..<4).map { _ in counter.numbers(upTo: 100).asObservable(demand: demand) }
        let merged = Observable.merge(sources).map { value in
            for _ in 0..<200 { sched_yield() }
            return value
        }
        // Twice, so that an operator which is busy posts to one that is busy.
        var iterator = Observable.merge(merged, merged).take(200).values(demand: demand).makeAsyncIterator()
        var count = 0
        while true {
            counter.request()
            guard try await iterator.next() != nil else { break }
            count += 1
        }
        #expect(count == 200)
        #expect(counter.largestLead <= limit)
        try await eventually("nothing is in flight") { demand.inFlight == 0 }
    }

    @Test func generatorIsCalledOnDemand() async throws {
        let demand = Demand(limit: 1)
        let made = Cell(0)
        let generator = AsyncStream<Int>(unfolding: {
            made.update { $0 += 1 }
            return made.value
        })
        let values = generator.asObservable(demand: demand).map { $0 * 10 }.values(demand: demand)
        try await eventually("one element is made") { made.value == 1 }
        for try await value in values where value == 50 { break }
        #expect((5...6).contains(made.value))
    }

    @Test func sourceThatCannotWaitFollowsBufferingPolicy() async throws {
        let demand = Demand(limit: 2)
        let subject = PublishSubject<Int>()
        let all = subject.values(demand: demand)
        let newest = subject.values(demand: demand, bufferingPolicy: .bufferingNewest(2))
        for value in 0..<10 { subject.onNext(value) }
        #expect(demand.inFlight == 12)
        subject.onCompleted()
        #expect(demand.inFlight == 12)
        #expect(try await newest.reduce(into: []) { $0.append($1) } == [8, 9])
        #expect(try await all.reduce(into: []) { $0.append($1) } == Array(0..<10))
        #expect(demand.inFlight == 0)
    }

    @Test func errorIsThrownAfterQueuedElements() async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        let source = counter.numbers(upTo: 9).asObservable(demand: demand).map { value in
            if value == 3 { throw TestError("three") }
            return value
        }
        var received: [Int] = []
        await #expect(throws: TestError("three")) {
            for try await value in source.values(demand: demand) { received.append(value) }
        }
        #expect(received == [1, 2])
        try await eventually("nothing is in flight") { demand.inFlight == 0 }

        let failing = AsyncThrowingStream<Int, any Error>(unfolding: { throw TestError("source") })
        await #expect(throws: TestError("source")) {
            for try await _ in failing.asObservable(demand: demand).values(demand: demand) {}
        }
        try await eventually("nothing is in flight") { demand.inFlight == 0 }
    }

    @Test(arguments: chains.indices) func waitingSourceIsCancelled(_ index: Int) async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        let chain = Self.chains[index].chain(counter.numbers(upTo: .max).asObservable(demand: demand), demand)
        let received = Cell(0)
        let task = Task {
            for try await _ in chain.values(demand: demand) {
                received.update { $0 += 1 }
                // It takes no further element until it is cancelled.
                for await _ in AsyncStream<Int>.makeStream().stream {}
            }
        }
        try await eventually("the source waits") { received.value == 1 && counter.made == 3 }
        #expect(counter.running == 1)
        task.cancel()
        try await eventually("the source has ended") { counter.running == 0 }
        try await eventually("nothing is in flight") { demand.inFlight == 0 }
        _ = await task.result
    }

    @Test func releasingValuesCancelsSource() async throws {
        let demand = Demand(limit: 2)
        let counter = PullCounter()
        do {
            let values = counter.numbers(upTo: .max).asObservable(demand: demand).values(demand: demand)
            try await eventually("the source waits") { counter.made == 2 }
            withExtendedLifetime(values) {}
        }
        try await eventually("the source has ended") { counter.running == 0 && demand.inFlight == 0 }
    }

    @Test func demandIsUsableAfterConsumersWereCancelled() async throws {
        let demand = Demand(limit: 2)
        for round in 0..<200 {
            let counter = PullCounter()
            let chain = Self.chains[round % Self.chains.count].chain
            let source = chain(counter.numbers(upTo: .max).asObservable(demand: demand), demand)
            let received = Cell(0)
            let task = Task {
                for try await _ in source.values(demand: demand) { received.update { $0 += 1 } }
            }
            let enough = round % 5
            try await eventually("some elements are received") { received.value >= enough }
            task.cancel()
            _ = await task.result
            try await eventually("the source has ended") { counter.running == 0 && demand.inFlight == 0 }
        }
        let rest = try await PullCounter().numbers(upTo: 5).asObservable(demand: demand).values(demand: demand)
            .reduce(into: []) { $0.append($1) }
        #expect(rest == [1, 2, 3, 4, 5])
    }

    @Test func countedCompletesAndFailsWithItsPart() {
        let demand = Demand(limit: 1)
        let subject = PublishSubject<Int>()
        let held = PublishSubject<Int>()
        let log = Cell<[String]>([])
        _ = subject.counted(in: demand) { Observable.zip($0, held) { $0 + $1 } }.subscribe(
            onNext: { log.append("\($0)") }, onError: { log.append("\($0)") })
        for value in 1...3 { subject.onNext(value) }
        #expect(demand.inFlight == 3)
        held.onNext(10)
        #expect(demand.inFlight == 2)
        subject.onError(TestError("end"))
        #expect(demand.inFlight == 0)
        #expect(log.value == ["11", "end"])
        #expect(!held.hasObservers)
    }

    @Test func disposingCountedRemovesItsElements() {
        let demand = Demand(limit: 1)
        let subject = PublishSubject<Int>()
        let subscription = subject.counted(in: demand) { $0.concat(Observable.never()).takeLast(1) }.subscribe()
        for value in 1...3 { subject.onNext(value) }
        #expect(demand.inFlight == 3)
        subscription.dispose()
        #expect(demand.inFlight == 0)
        #expect(!subject.hasObservers)
    }
}
