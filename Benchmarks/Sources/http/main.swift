// Measures polling many HTTP servers once a second: `http COUNT SECONDS spread|together PORT`, each server being an
// address of loopback of its own. Prints the milliseconds of processor time a poll, the polls a second, how late they
// begin in milliseconds (the median, the 99th percentile, the latest), and how many fail, on one line.

import Glibc
import RxEngine
import RxLinux

guard CommandLine.arguments.count == 5, let count = Int(CommandLine.arguments[1]),
    let seconds = Int(CommandLine.arguments[2]), let port = Int(CommandLine.arguments[4])
else {
    print("usage: http COUNT SECONDS spread|together PORT")
    exit(2)
}
let isSpread = CommandLine.arguments[3] == "spread"
let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "http")
let tally = Tally(scheduler)
let client = HTTPClient()
let bag = CompositeDisposable()
for number in 0..<count {
    let part = Duration.nanoseconds(isSpread ? Int64(number) * 1_000_000_000 / Int64(count) : 0)
    let request = HTTPRequest("http://127.0.\(number / 250 + 1).\(number % 250 + 1):\(port)/")
    let poll = HTTPPoll(request, every: .seconds(1), delay: .seconds(1) + part)
    let grid = scheduler.elapsed + poll.schedule.delay
    let subscription = client.poll(poll, scheduler: scheduler).subscribe(onNext: { outcome in
        // Its latest beginning, after the grid's last point: polls that are later still are missing.
        let late = scheduler.elapsed - outcome.timing.total - grid
        tally.take(late.nanoseconds % 1_000_000_000, outcome.ok ? nil : outcome.error?.message ?? "?")
    })
    _ = bag.insert(subscription)
}

// By the third second every connection has been made.
sleep(3)
tally.begin()
let start = ContinuousClock.now
sleep(UInt32(seconds))
tally.end()
let passed = (ContinuousClock.now - start) / .seconds(1)
bag.dispose()

let late = tally.late.sorted()
guard !late.isEmpty else {
    print("http: no poll has ended")
    exit(1)
}
func milliseconds(_ part: Double) -> Double {
    Double(late[min(late.count - 1, Int(Double(late.count) * part))] / 1000) / 1000
}
let each = (tally.spent / Double(late.count) * 10_000_000).rounded() / 10_000
print(
    each, Int((Double(late.count) / passed).rounded()), milliseconds(0.5), milliseconds(0.99),
    milliseconds(1),
    tally.failed, tally.trouble, separator: "\t")

extension Duration {
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
