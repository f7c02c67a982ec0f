import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ReplaySubjectTests {
    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 64, .max]) func latestElementsAreReplayed(size: Int) {
        for count in 0..<20 {
            let subject = size == .max ? ReplaySubject<Int>.createUnbounded() : .create(bufferSize: size)
            for value in 0..<count { subject.onNext(value) }
            let seen = Cell<[Int]>([])
            _ = subject.subscribe(onNext: { seen.append($0) })
            #expect(seen.value == Array((0..<count).suffix(size)))
        }
    }

    @Test func negativeSizeTraps() async {
        await #expect(processExitsWith: .failure) { _ = ReplaySubject<Int>.create(bufferSize: -1) }
    }

    @Test func subscribersReceiveInSubscriptionOrder() {
        let log = Cell<[String]>([])
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        subject.onNext(0)
        // The second subscribes, and has received its replay, while the first still receives its own.
        let second = SerialDisposable()
        let first = subject.subscribe(onNext: { value in
            if value == 0 { second.disposable = subject.subscribe(onNext: { log.append("second \($0)") }) }
            log.append("first \(value)")
        })
        subject.onNext(1)
        #expect(log.value == ["second 0", "first 0", "first 1", "second 1"])
        first.dispose()
        second.dispose()
        #expect(!subject.hasObservers)
    }

    @Test func replayStopsWhenSubscriberIsDisposed() {
        let subject = ReplaySubject<Int>.createUnbounded()
        for value in 0..<10 { subject.onNext(value) }
        let mapped = Cell<[Int]>([])
        _ = subject.map { value in
            mapped.append(value)
            if value == 3 { throw TestError() }
        }.subscribe(onError: { _ in })
        #expect(mapped.value == [0, 1, 2, 3])
        #expect(!subject.hasObservers)
    }

    @Test func disposingSubjectDuringReplay() {
        let subject = ReplaySubject<Int>.createUnbounded()
        subject.onNext(1)
        let seen = Cell<[Event<Int>]>([])
        let subscription = subject.subscribe { event in
            seen.append(event)
            subject.onNext(2)
            subject.dispose()
        }
        subject.onNext(3)
        #expect(seen.value == [.next(1)])
        #expect(!subject.hasObservers)
        subscription.dispose()
    }

    /// An element that uses its subject when it is released.
    private final class ReentrantElement: Sendable {
        let subject: Cell<ReplaySubject<ReentrantElement>?>

        init(_ subject: Cell<ReplaySubject<ReentrantElement>?>) {
            self.subject = subject
        }

        deinit {
            _ = subject.value?.hasObservers
        }
    }

    @Test func elementsAreReleasedOutsideLock() {
        let subject = ReplaySubject<ReentrantElement>.create(bufferSize: 3)
        let box = Cell<ReplaySubject<ReentrantElement>?>(subject)
        for _ in 0..<10 { subject.onNext(ReentrantElement(box)) }
        subject.dispose()
        box.update { $0 = nil }
    }
}
