import Dispatch
import Glibc
import RxEngineModel

// engine-fuzz [--seconds N | --programs N] [--seed N] [--without NAME,NAME]
//
// Runs random programs on the engine and on its model, and prints those that differ, shrunk, as code. Exits with 1 if
// there are any.

let options = Options(CommandLine.arguments.dropFirst())
let watchdog = Watchdog()
var campaign = Campaign(seed: options.seed, without: options.without)
var shapes: [String: Int] = [:]
let begin = ContinuousClock.now
while options.goesOn(after: campaign.programs, since: begin) {
    let failures = campaign.failures.count
    campaign.runNext { watchdog.watch($0, $1, $2) }
    if campaign.failures.count > failures, let failing = campaign.failures.last {
        let shape = failing.check + " " + failing.program.root.shape
        shapes[shape, default: 0] += 1
        if shapes[shape] == 1 { say("\(failing)") }
    }
}
watchdog.stop()
let columns = campaign.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
say("counts by operator: " + columns.joined(separator: ", "))
for (shape, count) in shapes.sorted(by: { $0.value > $1.value }) { say("\(count) × \(shape)") }
let seconds = (ContinuousClock.now - begin).components.seconds
say(
    "\(campaign.programs) programs from seed \(options.seed) in \(seconds) s: \(campaign.failures.count) failed, "
        + "\(campaign.discarded) discarded")
exit(campaign.failures.isEmpty ? 0 : 1)
