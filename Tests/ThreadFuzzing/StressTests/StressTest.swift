import RxEngine
import SeededRandom

/// A small random experiment that aims at one place of the engine.
struct StressTest: Sendable {
    let name: String
    let run: @Sendable (inout SplitMix64, Report) -> Void

    init(_ name: String, _ run: @escaping @Sendable (inout SplitMix64, Report) -> Void) {
        self.name = name
        self.run = run
    }

    /// All stress tests.
    static let all: [StressTest] = [
        sharing, subject, connecting, connectingTogether, reentry, retrying, outliving, disposing, timers,
    ]

    /// The description of a stress test, and its violations.
    final class Report: Sendable {
        private let description = Locked("")
        private let found = Locked<[String]>([])

        /// Describes the drawn parameters.
        func describe(_ text: String) { description.withLock { $0 = text } }

        /// Records a violation.
        func violation(_ text: String) { found.withLock { if $0.count < 20 { $0.append(text) } } }

        /// Records a violation unless `condition` holds.
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violation(text()) }
        }

        var text: String { description.value }
        var violations: [String] { found.value }
    }
}
