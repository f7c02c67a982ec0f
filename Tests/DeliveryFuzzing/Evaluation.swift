import RxJSON
import RxPipelines

/// The outcome of a configuration, given the order of the events of its sources.
struct Evaluation {
    /// The events of each node, and those that fail in the steps or a sink of a pipeline, under
    /// ``Config/Node/failures``.
    private(set) var items: [String: [Item]] = [:]
    /// The state of each node's steps, by their paths; without those that the manual leaves open.
    private(set) var cells: [String: [String: JSON]] = [:]
    /// The events that wait in buffers.
    private(set) var held: Set<String> = []
    /// Contradictions in the logs.
    private(set) var problems: [String] = []

    /// - Parameters:
    ///   - logs: the events of the components and the logged nodes, in order, by the name of their list.
    ///   - unsettled: the IDs of events that may wait somewhere.
    init(_ config: Config, logs: [String: [Item]], unsettled: Set<String>) {
        for node in config.nodes {
            evaluate(node, config, logs, unsettled)
            if node.sinks.contains(where: \.fails) {
                items[node.failures] = (items[node.name] ?? []).filter(\.failsCommands)
            }
        }
    }

    private mutating func evaluate(
        _ node: Config.Node, _ config: Config, _ logs: [String: [Item]], _ unsettled: Set<String>
    ) {
        switch node.kind {
        case .base(let source):
            let log = logs["log-\(config.components[source] ?? 0)"] ?? []
            items[node.name] = log.filter { $0.id.hasPrefix("\(source):") }
        case .steps(let input, let steps): run(steps, on: items[input] ?? [], as: node)
        case .merge(let inputs, let steps):
            run(steps, on: inputs.flatMap { items[$0] ?? [] }.sorted { $0.place < $1.place }, as: node)
        case .combineLatest(let inputs, let steps): run(steps, on: combined(inputs), as: node)
        case .later(let input, let later):
            let (logged, expected) = (logs[node.logName] ?? [], items[input] ?? [])
            items[node.name] = logged
            let isOrdered = node.sources.count == 1 && config.node(input)?.isLoose == false && !later.reorders
            checkPassed(logged, by: node, of: expected, unsettled, later.passing, isOrdered: isOrdered)
        case .zip(let one, let other, let steps):
            let pairs = zip(items[one] ?? [], items[other] ?? []).map { $0.with([$0.value, $1.value]) }
            run(steps, on: pairs, as: node)
        case .amb(let one, _):
            let logged = logs[node.logName] ?? []
            items[node.name] = logged
            checkPassed(logged, by: node, of: items[one] ?? [], unsettled)
        case .mix(let inputs):
            let logged = logs[node.logName] ?? []
            items[node.name] = logged
            checkPassed(logged, by: node, of: inputs.flatMap { items[$0] ?? [] }, unsettled)
        }
    }

    /// Checks that every settled event has passed, or those of them that have to, each once and in order.
    private mutating func checkPassed(
        _ passed: [Item], by node: Config.Node, of expected: [Item], _ unsettled: Set<String>,
        _ passing: Later.Passing = .all, isOrdered: Bool = false
    ) {
        let counts = passed.reduce(into: [:]) { $0[$1.event, default: 0] += 1 }
        let wanted = expected.reduce(into: [:]) { $0[$1.event, default: 0] += 1 }
        for (event, count) in wanted where counts[event, default: 0] < count && !unsettled.contains(event.id) {
            let mayBeLeftOut =
                switch passing {
                case .all: false
                case .last: !isOrdered || event != expected.last?.event
                case .some: !passed.isEmpty || expected.contains { unsettled.contains($0.id) }
                }
            if !mayBeLeftOut { problems.append("\(event) has not passed \(node.name)") }
        }
        if isOrdered {
            var rest = expected.map(\.event)[...]
            for event in passed.map(\.event) {
                guard let place = rest.firstIndex(of: event), passing != .all || place == rest.startIndex else {
                    problems.append("\(node.name) has passed \(passed.map(\.event)) of \(expected.map(\.event))")
                    break
                }
                rest = rest[(place + 1)...]
            }
        }
        for (event, count) in counts where wanted[event, default: 0] < count {
            problems.append("\(event) has passed \(node.name) \(count) times, not \(wanted[event, default: 0])")
        }
    }

    private mutating func run(_ steps: [Step], on input: [Item], as node: Config.Node) {
        var output: [Item] = []
        var failures: [Item] = []
        let known = items
        let chain = StepChain(
            steps, latest: { name, place in known[name]?.last { $0.place < place }?.value },
            fail: { failures.append($0) }, emit: { output.append($0) })
        for item in input { chain.receive(item) }
        items[node.name] = output
        items[node.failures] = failures
        held.formUnion(chain.held)
        if !steps.contains(where: \.hasEnd) { cells[node.name] = chain.cells }
    }

    private func combined(_ names: [String]) -> [Item] {
        let all = names.enumerated().flatMap { index, name in (items[name] ?? []).map { (index, $0) } }
        var latest = [JSON?](repeating: nil, count: names.count)
        return all.sorted { $0.1.place < $1.1.place }.compactMap { index, item in
            latest[index] = item.value
            let values = latest.compactMap(\.self)
            return values.count == names.count ? item.with(.array(values)) : nil
        }
    }
}

/// An event with its value, whatever its position.
struct ValuedEvent: Hashable, CustomStringConvertible {
    let id: String
    let value: JSON

    var description: String { "\(id) \(value)" }
}

extension Item {
    var event: ValuedEvent { ValuedEvent(id: id, value: value) }
}
