import RxEngine
import TestSupport
import Testing

/// Tests of an infallible's elements in `for await`.
@Suite(.balanced) struct InfallibleValuesTests {
    @Test func elementsAreIteratedUntilCompletion() async {
        var seen: [Int] = []
        for await element in Infallible.of(1, 2, 3).values { seen.append(element) }
        #expect(seen == [1, 2, 3])
    }

    @Test func readingValuesSubscribes() async {
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

    @Test func cancellingTaskDisposesSubscription() async throws {
        let subject = PublishSubject<Int>()
        let source = subject.asInfallible(onErrorJustReturn: 0)
        let task = Task {
            var seen: [Int] = []
            for await element in source.values { seen.append(element) }
            return seen
        }
        try await eventually("the task subscribes") { subject.hasObservers }
        subject.onNext(1)
        task.cancel()
        _ = await task.value
        #expect(!subject.hasObservers)
    }

    @Test func releasingStreamDisposesSubscription() {
        let subject = PublishSubject<Int>()
        do {
            let values = subject.asInfallible(onErrorJustReturn: 0).values
            withExtendedLifetime(values) { #expect(subject.hasObservers) }
        }
        #expect(!subject.hasObservers)
    }
}
