import Dispatch
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

struct OneShotTimerTests {
    @Test func laterCallReplacesEarlierOne() async throws {
        let queue = DispatchQueue(label: "alarm")
        let (alarm, calls) = (OneShotTimer(on: queue), Cell<[Int]>([]))
        queue.sync {
            alarm.set(after: .zero) { calls.append(1) }
            alarm.set(after: .milliseconds(1)) { calls.append(2) }
        }
        try await eventually("the alarm has called") { !calls.value.isEmpty }
        queue.sync {
            alarm.set(after: .zero) { calls.append(3) }
            alarm.cancel()
            alarm.set(after: .milliseconds(1)) { calls.append(4) }
        }
        try await eventually("the alarm has called again") { calls.value.count == 2 }
        #expect(calls.value == [2, 4])
    }

    /// An owner that is released while the queue calls: under the thread sanitizer, this was a race.
    @Test func alarmIsCancelledOnAnotherThread() async throws {
        let queue = DispatchQueue(label: "alarm")
        let calls = Cell(0)
        for _ in 0..<500 {
            let alarm = OneShotTimer(on: queue)
            queue.async { alarm.set(after: .zero) {} }
            queue.async { alarm.set(after: .zero) { calls.update { $0 += 1 } } }
            alarm.cancel()
            queue.sync {}
            alarm.cancel()
            // A call that had begun is over.
            queue.sync {}
            let before = calls.value
            queue.sync {}
            #expect(calls.value == before)
        }
    }
}
