import RxEngine

/// A number of random programs: runs them, and shrinks those that fail.
package struct Campaign {
    /// A program that failed.
    package struct Failing: CustomStringConvertible {
        package let seed: UInt64
        package let check: String
        package let program: Program
        package let expected: Recording
        package let actual: Recording

        package var description: String {
            """
            seed \(seed), \(check):
            \(program.code)
            // expected
            \(expected)
            // but was
            \(actual)

            """
        }
    }

    private let seed: UInt64
    /// Programs with one of these operators are left out.
    private let without: Set<String>
    package private(set) var programs = 0
    package private(set) var discarded = 0
    package private(set) var failures: [Failing] = []
    package private(set) var counts: [String: Int] = [:]

    package init(seed: UInt64, without: Set<String> = []) {
        self.seed = seed
        self.without = without
    }

    /// Runs the next program.
    ///
    /// - Parameter willRun: called with what is about to run, which may never return if the engine is broken.
    package mutating func runNext(_ willRun: (UInt64, Program) -> Void = { _, _ in }) {
        let seed = seed &+ UInt64(programs)
        programs += 1
        var generator = Generator(seed: seed)
        let program = generator.program()
        if !without.isEmpty, program.uses(without) { return discarded += 1 }
        willRun(seed, program)
        let check = Check.agreesWithModel
        switch check.run(program) {
        case .holds: program.root.count(into: &counts)
        case .discarded: discarded += 1
        case .fails:
            program.root.count(into: &counts)
            let shrunk = program.shrunk {
                willRun(seed, $0)
                return check.run($0).isFailure
            }
            if case .fails(let expected, let actual) = check.run(shrunk) {
                failures.append(
                    Failing(seed: seed, check: check.name, program: shrunk, expected: expected, actual: actual))
            }
        }
    }
}

extension Program {
    fileprivate func uses(_ names: Set<String>) -> Bool {
        var counts: [String: Int] = [:]
        root.count(into: &counts)
        return counts.keys.contains(where: names.contains)
    }
}
