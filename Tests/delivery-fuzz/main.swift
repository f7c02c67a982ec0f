import DeliveryFuzzing
import Foundation

// delivery-fuzz [--seconds N | --programs N] [--seed N] [--length N] [--jobs N]
//
// Runs the daemon beside it on random configurations, through events, reloads, stops and kills at random moments, and
// prints its errors. Exits with 1 if there are any.

var seconds = 60
var programs: Int?
var seed: UInt64 = 1
var length = 24
var jobs = 4
var rest = CommandLine.arguments.dropFirst()
while let name = rest.popFirst() {
    guard let value = rest.popFirst().flatMap({ Int($0) }), value >= 0 else {
        print("usage: delivery-fuzz [--seconds N | --programs N] [--seed N] [--length N] [--jobs N]")
        exit(2)
    }
    switch name {
    case "--seconds": seconds = value
    case "--programs": programs = value
    case "--seed": seed = UInt64(value)
    case "--length": length = value
    case "--jobs": jobs = value
    default:
        print("delivery-fuzz: unknown option \(name)")
        exit(2)
    }
}
let end = ContinuousClock.now + .seconds(seconds)
let most = programs
let total = Campaign(seed: seed, length: length, jobs: jobs).run(while: { begun in
    most.map { begun < $0 } ?? (ContinuousClock.now < end)
}) { outcome in
    if let failure = outcome.failure { say("\(failure)\n") }
}
say("from seed \(seed): \(total)")
exit(total.failures.isEmpty ? 0 : 1)

/// Writes a line at once, unlike `print`.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
