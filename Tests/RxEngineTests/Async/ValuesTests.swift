import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ValuesTests {
    @Test func elementsAndCompletionAreIterated() async throws {
        var values: [Int] = []
        for try await value in Observable.of(1, 2, 3).values { values.append(value) }
        #expect(values == [1, 2, 3])
    }

    @Test func errorIsThrown() async throws {
        var values: [Int] = []
        await #expect(throws: TestError.self) {
            for try await value in Observable.of(1, 2).concat(Observable.error(TestError())).values {
                values.append(value)
            }
        }
        #expect(values == [1, 2])
    }

    @Test func readingValuesSubscribesAndBuffersElements() async throws {
        let subject = PublishSubject<Int>()
        let values = subject.values
        #expect(subject.hasObservers)
        for value in 0..<1000 { subject.onNext(value) }
        subject.onCompleted()
        #expect(try await values.reduce(into: []) { $0.append($1) } == Array(0..<1000))
    }

    @Test func boundedBufferDropsElements() async throws {
        let subject = PublishSubject<Int>()
        let values = subject.values(bufferingPolicy: .bufferingNewest(2))
        for value in 0..<10 { subject.onNext(value) }
        subject.onCompleted()
        #expect(try await values.reduce(into: []) { $0.append($1) } == [8, 9])
    }

    @Test func cancellingTaskDisposesSubscription() async throws {
        let subject = PublishSubject<Int>()
        let seen = Cell<[Int]>([])
        let task = Task {
            for try await value in subject.values { seen.append(value) }
        }
        try await eventually("the subject is subscribed to") { subject.hasObservers }
        subject.onNext(1)
        try await eventually("the element is received") { seen.value == [1] }
        task.cancel()
        try await eventually("the subject has no observer") { !subject.hasObservers }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func releasingStreamDisposesSubscription() {
        let subject = PublishSubject<Int>()
        _ = subject.values
        #expect(!subject.hasObservers)
    }

    @MainActor @Test func valuesOfSharedSequence() async throws {
        let relay = BehaviorRelay(value: 1)
        var values: [Int] = []
        for await value in relay.asDriver().values {
            values.append(value)
            if value == 3 { break }
            relay.accept(value + 1)
        }
        #expect(values == [1, 2, 3])

        var ended: [Int] = []
        for await value in Signal.of(1, 2).values { ended.append(value) }
        #expect(ended == [1, 2])

        let task = Task { for await _ in Driver<Int>.never().values {} }
        task.cancel()
        await task.value
    }
}
