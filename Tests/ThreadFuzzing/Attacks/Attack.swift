import RxEngine

/// A small random experiment that aims at one place of the engine.
struct Attack: Sendable {
    let name: String
    let run: @Sendable (inout Randomness, Report) -> Void

    init(_ name: String, _ run: @escaping @Sendable (inout Randomness, Report) -> Void) {
        self.name = name
        self.run = run
    }

    /// All of them.
    static let all: [Attack] = [
        sharing, subject, connecting, connectingTogether, reentry, retrying, outliving, disposing, timers,
    ]

    /// What an attack does and what it finds.
    final class Report: Sendable {
        private let description = Guarded("")
        private let found = Guarded<[String]>([])

        /// Says what was drawn.
        func describe(_ text: String) { description.update { $0 = text } }

        /// Notes that something is wrong.
        func violation(_ text: String) { found.update { if $0.count < 20 { $0.append(text) } } }

        /// Notes that something is wrong unless `condition` holds.
        func require(_ condition: Bool, _ text: @autoclosure () -> String) {
            if !condition { violation(text()) }
        }

        var text: String { description.value }
        var violations: [String] { found.value }
    }
}
