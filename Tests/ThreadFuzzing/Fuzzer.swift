import Dispatch
import Glibc
import RxEngine
import Synchronization

/// Runs one case after the other, and stops at the first that fails.
package final class Fuzzer: Sendable {
    /// Which cases a seed may stand for.
    package enum Choice: Sendable, Equatable {
        case any
        case program
        case stressTest(String)
    }

    /// What to run.
    package struct Options: Sendable {
        package var seed: UInt64 = 1
        package var seconds: Int?
        package var programs: Int?
        /// How often each case is run.
        package var repetitions = 1
        package var choice = Choice.any
        package var shrinks = true
        package var isVerbose = false

        package init() {}
    }

    private let options: Options
    private let current = Locked<(seed: UInt64, since: ContinuousClock.Instant, execution: Execution)?>(nil)

    package init(_ options: Options) {
        self.options = options
    }

    /// Runs cases.
    ///
    /// - Returns: whether none of them failed.
    package func run() -> Bool {
        CrashReport.install()
        for scheduler in Schedulers.allCases { _ = scheduler.scheduler.now }
        PosixThread { self.watch() }.detach()
        let end = options.seconds.map { ContinuousClock.now + .seconds($0) }
        var counts: [String: Int] = [:]
        var number = 0
        while options.programs.map({ number < $0 }) ?? (end.map { ContinuousClock.now < $0 } ?? true) {
            let seed = options.seed &+ UInt64(number)
            CrashReport.begin(seed: seed)
            let one = Case(seed: seed, options.choice)
            if options.isVerbose { log("seed \(seed)") }
            let violations = run(one, seed, options.repetitions)
            number += 1
            for name in one.operators { counts[name, default: 0] += 1 }
            guard violations.isEmpty else {
                fail(one, seed, violations)
                return false
            }
        }
        log("\(number) programs and stress tests from seed \(options.seed), nothing wrong")
        let sorted = counts.sorted {
            ($0.key.hasPrefix("stress test") ? 1 : 0, $0.key) < ($1.key.hasPrefix("stress test") ? 1 : 0, $1.key)
        }
        for (name, count) in sorted { log("  \(count)\t\(name)") }
        return true
    }

    private func run(_ one: Case, _ seed: UInt64, _ repetitions: Int) -> [String] {
        for _ in 0..<repetitions {
            let execution = Execution(one, seed: seed)
            current.withLock { $0 = (seed, .now, execution) }
            let violations = execution.run()
            current.withLock { $0 = nil }
            if !violations.isEmpty {
                if case .stressTest = one { log(execution.description) }
                return violations
            }
        }
        return []
    }

    private func fail(_ one: Case, _ seed: UInt64, _ violations: [String]) {
        log("FAILED: seed \(seed)")
        log(violations.map { "  " + $0 }.joined(separator: "\n"))
        let again = "thread-fuzz --seed \(seed) --programs 1 --repeat 1000\(argument)"
        guard case .program(let program) = one else { return log("Again: \(again)") }
        log("\(program.text)\nAgain: \(again)")
        guard options.shrinks else { return }
        let simplest = shrink(program, within: .seconds(60)) { self.run(.program($0), seed, 30) }
        log("Simplest program that failed:\n\(simplest.program.text)")
        log(simplest.violations.map { "  " + $0 }.joined(separator: "\n"))
    }

    private var argument: String {
        switch options.choice {
        case .any: ""
        case .program: " --only-programs"
        case .stressTest(let name): " --stress \(name)"
        }
    }

    /// Ends the process if a case is not over in time: a deadlock.
    private func watch() {
        let never = DispatchSemaphore(value: 0)
        while true {
            _ = never.wait(timeout: .now() + 1)
            guard let (seed, since, execution) = current.value,
                ContinuousClock.now - since > .seconds(3 * Deadline.seconds)
            else { continue }
            log("FAILED: seed \(seed) is not over after \(ContinuousClock.now - since): a deadlock?")
            log(execution.description)
            _exit(1)
        }
    }
}

/// Prints a line at once.
package func log(_ line: String) {
    print(line)
    fflush(nil)
}
