import Glibc
import TestSupport
import Testing

/// Runs `body` on several threads, and records an issue if they have not all returned within the deadline: they wait
/// for each other, or for something that never happens.
func finishes(
    within deadline: Duration = .seconds(30), threads: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (Int) -> Void
) async throws {
    let running = Cell(threads)
    let waiting = Cell(threads)
    let all = (0..<threads).map { number in
        Thread {
            waiting.update { $0 -= 1 }
            while waiting.value > 0 { sched_yield() }
            body(number)
            running.update { $0 -= 1 }
        }
    }
    try await eventually("every thread returns", within: deadline, sourceLocation: sourceLocation) {
        running.value == 0
    }
    guard running.value == 0 else { return }
    for thread in all { thread.join() }
}
