import TestSupport
import Testing

@testable import RxEngine

@Suite(.balanced) struct RendezvousTests {
    private final class Meeting: Sendable {
        let rendezvous = Rendezvous()
        // Safe although marked unsafe: each thread writes its own, and the second one reads both.
        nonisolated(unsafe) let written = UnsafeMutablePointer<Int>.allocate(capacity: 2)

        init() {
            written.initialize(repeating: 0, count: 2)
        }

        deinit {
            written.deallocate()
        }
    }

    @Test func secondThreadSeesWritesOfFirst() {
        for _ in 0..<200 {
            let (meeting, sums) = (Meeting(), Cell<[Int]>([]))
            inParallel(2) { thread in
                meeting.written[thread] = thread + 1
                guard meeting.rendezvous.arrive() == .second else { return }
                sums.append(meeting.written[0] + meeting.written[1])
            }
            #expect(sums.value == [3])
        }
    }
}
