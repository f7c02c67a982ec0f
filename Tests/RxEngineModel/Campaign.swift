import RxEngine

/// Runs a number of random programs, and shrinks those that fail.
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
    /// Programs with one of these operators are skipped.
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
    /// - Parameter willRun: called with the program before it runs; if the engine is broken, the run may never return.
    package mutating func runNext(_ willRun: (UInt64, Check, Program) -> Void = { _, _, _ in }) {
        let number = programs
        let seed = seed &+ UInt64(number)
        programs += 1
        var generator = Generator(seed: seed)
        let (check, program) = Self.plan(number, &generator)
        if !without.isEmpty, program.uses(without) { return discarded += 1 }
        willRun(seed, check, program)
        switch check.run(program) {
        case .holds: program.count(into: &counts)
        case .discarded: discarded += 1
        case .fails:
            program.count(into: &counts)
            let shrunk = program.shrunk {
                willRun(seed, check, $0)
                return check.run($0).isFailure
            }
            if case .fails(let expected, let actual) = check.run(shrunk) {
                failures.append(
                    Failing(seed: seed, check: check.name, program: shrunk, expected: expected, actual: actual))
            }
        }
    }
}

extension Campaign {
    /// Every other program is compared with the model; the others are checked by a law.
    private static func plan(_ number: Int, _ generator: inout Generator) -> (Check, Program) {
        if number.isMultiple(of: 2) { return (.agreesWithModel, generator.program()) }
        let law = generator.random.pick(Check.laws)
        return (law, generator.random.once(in: 3) ? generator.program() : generator.sharingProgram())
    }
}

extension Program {
    fileprivate func count(into counts: inout [String: Int]) {
        root.count(into: &counts)
        for shared in shared { shared.node.count(into: &counts) }
    }

    fileprivate func uses(_ names: Set<String>) -> Bool {
        var counts: [String: Int] = [:]
        count(into: &counts)
        return counts.keys.contains(where: names.contains)
    }
}
