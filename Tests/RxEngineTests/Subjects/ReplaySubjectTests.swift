import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ReplaySubjectTests {
    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 64, .max]) func theLastAreRemembered(size: Int) {
        for count in 0..<20 {
            let subject = size == .max ? ReplaySubject<Int>.createUnbounded() : .create(bufferSize: size)
            for value in 0..<count { subject.onNext(value) }
            let seen = Box<[Int]>([])
            _ = subject.subscribe(onNext: { seen.append($0) })
            #expect(seen.value == Array((0..<count).suffix(size)))
        }
    }

    @Test func aNegativeSizeTraps() async {
        await #expect(processExitsWith: .failure) { _ = ReplaySubject<Int>.create(bufferSize: -1) }
    }

    @Test func subscribersAreToldInTheOrderTheyCame() {
        let log = Box<[String]>([])
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        subject.onNext(0)
        // The second comes, and has caught up, while the first still catches up.
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

    @Test func whoHasHadEnoughIsToldNoMore() {
        let subject = ReplaySubject<Int>.createUnbounded()
        for value in 0..<10 { subject.onNext(value) }
        let mapped = Box<[Int]>([])
        _ = subject.map { value in
            mapped.append(value)
            if value == 3 { throw TestError() }
        }.subscribe(onError: { _ in })
        #expect(mapped.value == [0, 1, 2, 3])
        #expect(!subject.hasObservers)
    }

    @Test func disposingItWhileANewcomerCatchesUp() {
        let subject = ReplaySubject<Int>.createUnbounded()
        subject.onNext(1)
        let seen = Box<[Event<Int>]>([])
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

    /// An element that asks its subject something when it goes.
    private final class Curious: Sendable {
        let subject: Box<ReplaySubject<Curious>?>

        init(_ subject: Box<ReplaySubject<Curious>?>) {
            self.subject = subject
        }

        deinit {
            _ = subject.value?.hasObservers
        }
    }

    @Test func elementsAreLetGoOfOutsideTheLock() {
        let subject = ReplaySubject<Curious>.create(bufferSize: 3)
        let box = Box<ReplaySubject<Curious>?>(subject)
        for _ in 0..<10 { subject.onNext(Curious(box)) }
        subject.dispose()
        box.update { $0 = nil }
    }
}
