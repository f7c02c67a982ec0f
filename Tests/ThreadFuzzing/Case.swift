import Synchronization

/// What a seed determines: a program, or an attack.
enum Case: Sendable {
    case program(Program)
    case attack(Attack)

    init(seed: UInt64, _ choice: Fuzzer.Choice) {
        var random = Randomness(seed: mixed(seed ^ 0xCA5E))
        let isAttack = random.chance(25)
        switch choice {
        case .program: self = .program(Program(seed: seed))
        case .attack(let name):
            let matching = Attack.all.filter { $0.name == name }
            self = .attack(random.pick(matching.isEmpty ? Attack.all : matching))
        case .any: self = isAttack ? .attack(random.pick(Attack.all)) : .program(Program(seed: seed))
        }
    }

    /// What it is counted by.
    var operators: [String] {
        switch self {
        case .program(let program): program.operators
        case .attack(let attack): ["attack: " + attack.name]
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
            let run = Guarded<ProgramRun?>(nil)
            text = { program.text }
            state = { run.value?.state ?? "not started or over" }
            body = {
                run.update { $0 = ProgramRun(program) }
                defer { run.update { $0 = nil } }
                return run.value?.execute(Randomness(seed: seed)) ?? []
            }
        case .attack(let attack):
            let report = Attack.Report()
            text = { "\(attack.name): \(report.text)" }
            state = { "" }
            body = {
                var random = Randomness(seed: seed)
                attack.run(&random, report)
                return report.violations
            }
        }
    }

    /// What is run, and how far it is.
    var description: String { "\(text())\n\(state())" }

    /// Runs it once.
    ///
    /// - Returns: what was wrong, together with what is still alive afterwards.
    func run() -> [String] {
        let before = Census.now
        var violations = body()
        if !waitUntil({ Census.now == before }) {
            violations.append("live objects: \(before) before, \(Census.now) after: \(liveOperators())")
        }
        if Sanitizer.takeReport() { violations.append("the thread sanitizer has reported something, see above") }
        return violations
    }
}

/// What the thread sanitizer has found.
package enum Sanitizer {
    private static let hasReported = Atomic(false)

    /// Called by the sanitizer's runtime.
    package static func note() { hasReported.store(true, ordering: .relaxed) }

    static func takeReport() -> Bool { hasReported.exchange(false, ordering: .relaxed) }
}
