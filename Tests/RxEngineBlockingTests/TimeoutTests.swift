import FoundationEssentials
import Glibc
import RxEngine
import RxEngineBlocking
import TestSupport
import Testing

@Suite(.balanced) struct TimeoutTests {
    @Test func sourceWithoutEventsTimesOut() {
        let source = Observable<Int>.never().toBlocking(timeout: 0.01)
        #expect(isTimeout { try source.toArray() })
        #expect(isTimeout { try source.first() })
        #expect(isTimeout { try source.last() })
        #expect(isTimeout { try source.single() })
        #expect(isTimeout { try source.single { $0 > 0 } })
    }

    @Test func timeoutIsNotEarlyAndReleasesSource() {
        let freed = Cell(false)
        let source = Observable<Int>.create { _ in Disposables.create { freed.update { $0 = true } } }
        let start = ContinuousClock.now
        #expect(isTimeout { try source.toBlocking(timeout: 0.02).toArray() })
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        #expect(freed.value)
    }

    @Test func materializeKeepsElementsBeforeTimeout() throws {
        let subject = PublishSubject<Int>()
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            return subject.subscribe(observer)
        }
        guard case .failed([1], let error) = source.toBlocking(timeout: 0.01).materialize() else {
            Issue.record("one element and a failure were expected")
            return
        }
        guard case RxError.timeout = error else { throw error }
        #expect(!subject.hasObservers)
    }

    @Test func timeoutStopsEndlessSynchronousSource() {
        #expect(isTimeout { try Observable.from(0...).toBlocking(timeout: 0.01).last() })
        #expect(isTimeout { try Observable.from(0...).filter { $0 < 0 }.toBlocking(timeout: 0.01).first() })
    }

    @Test(arguments: [0.0, -1, -Double.infinity, .nan]) func timeoutThatIsNotPositiveSubscribesToNothing(
        timeout: TimeInterval
    ) {
        let runs = Cell(0)
        let source = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            observer.onCompleted()
            return Disposables.create()
        }
        #expect(isTimeout { try source.toBlocking(timeout: timeout).toArray() })
        #expect(runs.value == 0)
    }

    @Test(arguments: [nil, 60, 1e9, 9.2e9, 1e10, 1e300, .infinity])
    func timeoutThatDoesNotOccurChangesNothing(timeout: TimeInterval?) throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let source = Observable<Int>.timer(.milliseconds(1), scheduler: scheduler).toBlocking(timeout: timeout)
        #expect(try source.toArray() == [0])
    }

    @Test func waitingTakesNoProcessorTime() {
        let wall = ContinuousClock.now
        let busy = threadTime()
        #expect(isTimeout { try Observable<Int>.never().toBlocking(timeout: 0.05).toArray() })
        #expect(threadTime() - busy < (ContinuousClock.now - wall) / 2)
    }

    private func isTimeout(_ wait: () throws -> Any?) -> Bool {
        do {
            _ = try wait()
            return false
        } catch RxError.timeout {
            return true
        } catch {
            return false
        }
    }

    private func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
