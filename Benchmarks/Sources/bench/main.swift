import CAllocations

// bench               a table of all workloads: time and allocations an element
// bench names         their names, how many elements an operation counts as, and whether instructions can be counted
// bench intervals     what periodic timers cost the processor
// bench NAME          one row of the table
// bench NAME COUNT    the operations of COUNT elements, once, for an instruction counter to watch

let workloads =
    elementWorkloads + subscriptionWorkloads + schedulerWorkloads + diagnosticsWorkloads + sectionWorkloads
let arguments = CommandLine.arguments.dropFirst()
if arguments.first == "names" {
    workloads.forEach { print("\($0.name)\t\($0.weight)\t\($0.isSteady ? "steady" : "-")") }
} else if arguments.first == "intervals" {
    measureIntervals().forEach { print($0) }
} else if let name = arguments.first {
    guard let workload = workloads.first(where: { $0.name == name }) else { fatalError("no workload '\(name)'") }
    if let count = arguments.dropFirst().first.flatMap({ Int($0) }) {
        workload.run(count / workload.weight)
    } else {
        print(measure(workload))
    }
} else {
    for workload in workloads { print(measure(workload)) }
}

/// Runs a workload several times, and returns the best as a row of tab-separated figures: name, ns, allocations,
/// RxSwift's ns, the best peer's ns.
func measure(_ workload: Workload, elements: Int = 200_000) -> String {
    let count = elements / workload.weight
    workload.run(max(count / 10, 1))
    rx_count_allocations(true)
    let before = rx_allocations()
    workload.run(count)
    let once = rx_allocations()
    workload.run(count * 2)
    let allocations = (Double(rx_allocations() - once) - Double(once - before)) / Double(count)
    rx_count_allocations(false)
    let best = (0..<7).map { _ in ContinuousClock().measure { workload.run(count) } / count }.min() ?? .zero
    return [
        workload.name, format(Double(best.components.attoseconds) / 1e9), format(allocations),
        workload.rxSwift.map(format) ?? "-", workload.bestPeer.map(format) ?? "-",
    ].joined(separator: "\t")
}

func format(_ figure: Double) -> String {
    let tenths = Int((figure * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
}
