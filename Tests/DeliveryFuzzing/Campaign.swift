import Dispatch
import Synchronization

/// Successive trials of one seed, several at a time: the daemon mostly waits.
package struct Campaign: Sendable {
    package let seed: UInt64
    /// The approximate number of moves of a trial.
    package let length: Int
    package let jobs: Int

    package init(seed: UInt64, length: Int, jobs: Int) {
        (self.seed, self.length, self.jobs) = (seed, length, jobs)
    }

    /// Runs trials while `mayContinue` returns true for the number of those that have begun.
    ///
    /// - Parameter report: called after each trial, one at a time.
    /// - Returns: the total of all trials.
    package func run(
        while mayContinue: @escaping @Sendable (Int) -> Bool, report: @escaping @Sendable (Outcome) -> Void = { _ in }
    ) -> Total {
        let total = Mutex(Total())
        let begun = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                let number = begun.withLock { begun -> Int? in
                    guard mayContinue(begun) else { return nil }
                    defer { begun += 1 }
                    return begun
                }
                guard let number else { return }
                let seed = seed &+ UInt64(number)
                var outcome = Outcome()
                do {
                    outcome = try Trial(seed: seed, length: length).run()
                } catch {
                    outcome.failure = "seed \(seed): \(error)"
                }
                total.withLock {
                    $0.add(outcome)
                    report(outcome)
                }
            }
        }
        return total.withLock { $0 }
    }

    /// The total of several trials.
    package struct Total: Sendable, CustomStringConvertible {
        package private(set) var trials = 0
        package private(set) var failures: [String] = []
        private var all = Outcome()

        mutating func add(_ outcome: Outcome) {
            trials += 1
            failures += [outcome.failure].compactMap(\.self)
            all.kills += outcome.kills
            all.stops += outcome.stops
            all.reloads += outcome.reloads
            all.files += outcome.files
            all.acts += outcome.acts
            all.repetitions += outcome.repetitions
            all.unsavedActs += outcome.unsavedActs
        }

        package var description: String {
            "\(trials) programs, \(failures.count) failed: \(all.kills) kills, \(all.stops) stops, \(all.reloads) reloads, "
                + "\(all.files) files, \(all.acts) acts; \(all.repetitions) acts were repeated, "
                + "and after kills \(all.unsavedActs) were of values not saved"
        }
    }
}
