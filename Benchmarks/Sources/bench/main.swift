import CAllocations

// bench               a table of all workloads: time and allocations an element
// bench NAME COUNT    one workload, once, for an instruction counter to watch

let arguments = CommandLine.arguments.dropFirst()
if let name = arguments.first, let count = arguments.dropFirst().first.flatMap({ Int($0) }) {
    guard let workload = workloads.first(where: { $0.name == name }) else { fatalError("no workload '\(name)'") }
    workload.run(count)
} else if arguments.first == "names" {
    workloads.forEach { print($0.name) }
} else {
    for workload in workloads { print(measure(workload)) }
}

/// Best of several runs, a row of tab-separated figures: name, ns, allocations, RxSwift's ns, the best peer's ns.
func measure(_ workload: Workload, count: Int = 200_000) -> String {
    workload.run(count / 10)
    let before = rx_allocations()
    workload.run(count)
    let once = rx_allocations()
    workload.run(count * 2)
    let allocations = (Double(rx_allocations() - once) - Double(once - before)) / Double(count)
    let best = (0..<7).map { _ in ContinuousClock().measure { workload.run(count) } / count }.min() ?? .zero
    let nanoseconds = Double(best.components.attoseconds) / 1e9
    return [
        workload.name, format(nanoseconds), format(allocations), format(workload.rxSwift), format(workload.bestPeer),
    ].joined(separator: "\t")
}

func format(_ figure: Double) -> String {
    let tenths = Int((figure * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
}
