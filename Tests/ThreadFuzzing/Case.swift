import RxEngine
import SeededRandom
import Synchronization

/// The program or stress test that a seed determines.
enum Case: Sendable {
    case program(Program)
    case stressTest(StressTest)

    init(seed: UInt64, _ choice: Fuzzer.Choice) {
        var random = SplitMix64(seed: mixed(seed ^ 0xCA5E))
        let isStressTest = random.chance(25)
        switch choice {
        case .program: self = .program(Program(seed: seed))
        case .stressTest(let name):
            let matching = StressTest.all.filter { $0.name == name }
            self = .stressTest(random.pick(matching.isEmpty ? StressTest.all : matching))
        case .any: self = isStressTest ? .stressTest(random.pick(StressTest.all)) : .program(Program(seed: seed))
        }
    }

    /// The names under which it is counted.
    var operators: [String] {
        switch self {
        case .program(let program): program.operators
        case .stressTest(let stressTest): ["stress test: " + stressTest.name]
        }
    }
}

/// A case that runs or has run.
final class Execution: Sendable {
    private let seed: UInt64
    private let text: @Sendable () -> String
    private let state: @Sendable () -> String
    private let body: @Sendable () -> [String]

    init(_ one: Case, seed: UInt64) {
        self.seed = seed
        switch one {
        case .program(let program):
            let run = Locked<ProgramRun?>(nil)
            text = { program.text }
            state = { run.value?.state ?? "not started or over" }
            body = {
                run.withLock { $0 = ProgramRun(program) }
                defer { run.withLock { $0 = nil } }
                return run.value?.execute(SplitMix64(seed: seed)) ?? []
            }
        case .stressTest(let stressTest):
            let report = StressTest.Report()
            text = { "\(stressTest.name): \(report.text)" }
            state = { "" }
            body = {
                var random = SplitMix64(seed: seed)
                stressTest.run(&random, report)
                return report.violations
            }
        }
    }

    /// The case, and its progress.
    var description: String { "\(text())\n\(state())" }

    /// Runs it once.
    ///
    /// - Returns: the violations, and the objects that are still alive afterwards.
    func run() -> [String] {
        let before = ResourceCounts.now
        var violations = body()
        if !waitUntil({ ResourceCounts.now == before }) {
            violations.append("live objects: \(before) before, \(ResourceCounts.now) after: \(liveOperators())")
        }
        if Sanitizer.takeReport() { violations.append("the thread sanitizer has reported something, see above") }
        return violations
    }
}

/// The reports of the thread sanitizer.
package enum Sanitizer {
    private static let hasReported = Atomic(false)

    /// Called by the sanitizer's runtime.
    package static func note() { hasReported.store(true, ordering: .relaxed) }

    static func takeReport() -> Bool { hasReported.exchange(false, ordering: .relaxed) }
}
