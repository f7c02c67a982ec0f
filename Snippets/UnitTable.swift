// A list in sections on a terminal: the edits that lead from one value to the next, and what a driver draws of them.

import RxEngine
import RxEngineSections

struct Unit: Identifiable, Equatable {
    let id: String
    var state: String
}

let before = [
    Section(SectionTitle("Services"), items: [Unit(id: "cron", state: "running"), Unit(id: "sshd", state: "running")])
]
let after = [
    Section(SectionTitle("Failed"), items: [Unit(id: "cron", state: "exited")]),
    Section(
        SectionTitle("Services"), items: [Unit(id: "sshd", state: "running"), Unit(id: "nginx", state: "starting")]),
]

for stage in try SectionDiffer.changesets(from: before, to: after) {
    for path in stage.items.updated { print("update the item at \(path)") }
    for index in stage.sections.inserted { print("insert a section at \(index)") }
    for move in stage.items.moved { print("move the item at \(move.from) to \(move.to)") }
    for path in stage.items.inserted { print("insert an item at \(path)") }
}

let units = BehaviorRelay(value: before)
let table = TerminalTable(
    columns: [TerminalColumn("UNIT", text: \Unit.id), TerminalColumn("STATE", text: \Unit.state)],
    size: TerminalSize(columns: 80, rows: 24), title: \SectionTitle.value
) { output in
    // A terminal gets the output as it is. Here, the arrow stands for the beginning of an escape code.
    print(output.replacing("\u{1B}[", with: "→"))
}
let subscription = units.asDriver().drive(table.rx.sections)
MainActor.assumeIsolated { print(table.lines.joined(separator: "\n")) }

units.accept(after)
MainActor.assumeIsolated { print(table.lines.joined(separator: "\n")) }
subscription.dispose()

// Prints:
// update the item at section 0, item 0
// insert a section at 0
// move the item at section 1, item 0 to section 0, item 0
// insert an item at section 1, item 1
// →?25l→?7l→0m→H→2J→1;1H→1mUNIT  STATE→0m→2;1H→1mServices→0m→3;1Hcron  running→4;1Hsshd  running
// UNIT  STATE
// Services
// cron  running
// sshd  running
// →1;7H→1m STATE→0m→2;1H→1mFailed→0m→K→3;7H exited→4;1H→1mServices→0m→K→5;1Hsshd   running→6;1Hnginx  starting
// UNIT   STATE
// Failed
// cron   exited
// Services
// sshd   running
// nginx  starting
