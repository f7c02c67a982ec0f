import RxEngine
import TestSupport
import Testing

/// An infallible's elements for `for await`.
@Suite(.balanced) struct InfallibleValuesTests {
    @Test func elementsInOrderUntilTheEnd() async {
        var seen: [Int] = []
        for await element in Infallible.of(1, 2, 3).values { seen.append(element) }
        #expect(seen == [1, 2, 3])
    }

    @Test func readingThePropertySubscribes() async {
        let subject = PublishSubject<Int>()
        let source = subject.asInfallible(onErrorJustReturn: 0)
        let values = source.values
        #expect(subject.hasObservers)
        for number in 1...100 { subject.onNext(number) }
        subject.onCompleted()
        var seen: [Int] = []
        for await element in values { seen.append(element) }
        #expect(seen == Array(1...100))
    }

    @Test func cancellingTheTaskDisposes() async throws {
        let subject = PublishSubject<Int>()
        let source = subject.asInfallible(onErrorJustReturn: 0)
        let task = Task {
            var seen: [Int] = []
            for await element in source.values { seen.append(element) }
            return seen
        }
        try await eventually("it subscribes") { subject.hasObservers }
        subject.onNext(1)
        task.cancel()
        _ = await task.value
        #expect(!subject.hasObservers)
    }

    @Test func lettingGoOfTheStreamDisposes() {
        let subject = PublishSubject<Int>()
        do {
            let values = subject.asInfallible(onErrorJustReturn: 0).values
            withExtendedLifetime(values) { #expect(subject.hasObservers) }
        }
        #expect(!subject.hasObservers)
    }
}
