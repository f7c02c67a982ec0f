import Glibc
import RxEngine
import RxEngineTest
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct CommandStartTests {
    /// The outcome of a command that fails with these errors before it starts.
    private func outcome(of errors: [Int32]) -> (events: [String], records: [String]) {
        let scheduler = TestScheduler(initialClock: 0)
        let left = Locked(errors)
        let start = Observable<Int>.deferred {
            guard let error = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                return .just(1)
            }
            return .error(CommandError("x", SystemError(error, "running it")))
        }
        let records = Cell<[String]>([])
        let observer = scheduler.start(disposed: 10_000) {
            start.startedWhenPossible(on: scheduler) { records.append("\($0)") }
        }
        return (observer.events.map { "\($0.time) \($0.value)" }, records.value)
    }

    @Test(arguments: [EMFILE, ENFILE, EAGAIN, ENOMEM])
    func commandStartIsRetriedWhenResourcesAreFree(error: Int32) {
        let (events, records) = outcome(of: [error, error])
        #expect(events == ["202 next(1)", "202 completed"])
        #expect(records == ["cannot start 'x': \(SystemError(error, "running it"))"])
    }

    @Test func otherErrorsAreNotRetried() {
        let (events, records) = outcome(of: [ENOENT])
        #expect(events.count == 1 && events.first?.contains("No such file") == true && records == [])
    }
}
