import Dispatch
import Glibc
import RxEngineModel
import Synchronization

/// Ends the process with a message if one program runs for too long: an endless loop in the engine.
final class Watchdog: Sendable {
    private let current = Mutex<(seed: UInt64, check: Check, program: Program, number: Int)?>(nil)

    init() {
        let thread = DispatchQueue(label: "watchdog")
        let seen = Mutex(-1)
        @Sendable func look() {
            thread.asyncAfter(deadline: .now() + 20) {
                if let (seed, check, program, number) = self.current.withLock({ $0 }) {
                    if seen.withLock({ $0 == number }) {
                        say("seed \(seed), \(check.name): this program does not end:\n\(program.code)")
                        exit(1)
                    }
                    seen.withLock { $0 = number }
                }
                look()
            }
        }
        look()
    }

    /// Sets the program that is about to run.
    func watch(_ seed: UInt64, _ check: Check, _ program: Program) {
        current.withLock { $0 = (seed, check, program, ($0?.number ?? 0) + 1) }
    }

    func stop() {
        current.withLock { $0 = nil }
    }
}
