import RxJSON
import RxPipelines

/// An event of a node.
package struct Item: Sendable, Equatable {
    /// Its position among the events of the log from which the node's events are derived.
    let place: Int
    /// The ID of the source event; of several, the latest.
    let id: String
    let value: JSON

    /// Whether commands that fail on some events fail on this one.
    var failsCommands: Bool { "\(value)".contains("7") }

    func with(_ value: JSON) -> Item { Item(place: place, id: id, value: value) }
}

/// Successive steps: the meaning of each, written from the manual.
final class StepChain {
    private let runs: [StepRun]
    private let emit: (Item) -> Void
    private var isOver = false

    /// - Parameters:
    ///   - latest: the latest value of a node before a position.
    ///   - fail: called with the events on which a step fails.
    ///   - emit: called with the events that the last step emits.
    init(
        _ steps: [Step], latest: @escaping (String, Int) -> JSON?, fail: @escaping (Item) -> Void,
        emit: @escaping (Item) -> Void
    ) {
        runs = steps.map { StepRun($0, latest: latest, fail: fail) }
        self.emit = emit
    }

    func receive(_ item: Item) {
        if !isOver { push(item, 0) }
    }

    private func push(_ item: Item, _ index: Int) {
        guard index < runs.count else { return emit(item) }
        let isLast = runs[index].receive(item) { self.push($0, index + 1) }
        if isLast { complete(from: index + 1) }
    }

    private func complete(from index: Int) {
        isOver = true
        for later in index..<max(index, runs.count) { runs[later].complete { self.push($0, later + 1) } }
    }

    /// The ids of the events that wait in buffers.
    var held: [String] { isOver ? [] : runs.flatMap(\.held) }

    /// The state of the steps, by the path of the step.
    var cells: [String: JSON] {
        runs.enumerated().reduce(into: [:]) { cells, run in
            for (path, value) in run.element.cells {
                cells[path.isEmpty ? "\(run.offset)" : "\(run.offset)/\(path)"] = value
            }
        }
    }
}

/// The execution of a step.
final class StepRun {
    private let step: Step
    private let latest: (String, Int) -> JSON?
    private let fail: (Item) -> Void
    private var state: JSON?
    private var count = 0
    private var list: [Item] = []
    private var groups: [Int: StepChain] = [:]
    private var groupEmit: (Item) -> Void = { _ in }

    init(_ step: Step, latest: @escaping (String, Int) -> JSON?, fail: @escaping (Item) -> Void) {
        (self.step, self.latest, self.fail) = (step, latest, fail)
        switch step {
        case .count, .failingCount: state = 0
        case .lastTwo: state = []
        default: break
        }
    }

    /// - Returns: whether the step is over.
    func receive(_ item: Item, _ emit: @escaping (Item) -> Void) -> Bool {
        switch step {
        case .count, .failingCount:
            if case .failingCount = step, item.value.sum % 5 == 4 {
                fail(item)
                return false
            }
            state = .number((state?.number ?? 0) + 1)
            emit(item.with(state ?? .null))
        case .lastTwo:
            state = .array(((state?.array ?? []) + [.number(Double(item.value.sum))]).suffix(2))
            emit(item.with(state ?? .null))
        case .distinct, .distinctBySum:
            var key = item.value
            if case .distinctBySum = step { key = .number(Double(item.value.sum % 3)) }
            if state == key { return false }
            state = key
            emit(item)
        case .pairwise:
            defer { state = item.value }
            if let before = state { emit(item.with([before, item.value])) }
        case .enumerated:
            count += 1
            emit(item.with(["index": .number(Double(count - 1)), "value": item.value]))
        case .skip(let number):
            if count == number { emit(item) } else { count += 1 }
        case .take(let number):
            count += 1
            emit(item)
            return count == number
        case .takeWhile(let number):
            if item.value.sum % 50 == number { return true }
            emit(item)
        case .first:
            emit(item)
            return true
        case .elementAt(let index):
            count += 1
            if count > index { emit(item) }
            return count > index
        case .skipWhile(let number):
            if state == nil, item.value.sum < number { return false }
            state = true
            emit(item)
        case .filter(let number):
            if item.value.sum % 4 != number { emit(item) }
        case .list:
            emit(item.with([item.value]))
        case .buffer(let size):
            list.append(item)
            if list.count == size { complete(emit) }
        case .groupBy(let steps):
            groupEmit = emit
            let key = item.value.sum % 3
            let group = groups[key] ?? StepChain(steps, latest: latest, fail: fail) { self.groupEmit($0) }
            groups[key] = group
            group.receive(item)
        case .withLatestFrom(let node):
            if let latest = latest(node, item.place) { emit(item.with([item.value, latest])) }
        }
        return false
    }

    /// Completes the step, because the steps before it have completed.
    func complete(_ emit: (Item) -> Void) {
        guard let last = list.last else { return }
        let values = list.map(\.value)
        list = []
        emit(last.with(.array(values)))
    }

    var held: [String] { list.map(\.id) + groups.values.flatMap(\.held) }

    /// Its state, by the path inside it.
    var cells: [String: JSON] {
        switch step {
        case .count, .failingCount, .lastTwo, .distinct, .distinctBySum, .skipWhile:
            state.map { ["": $0] } ?? [:]
        case .pairwise: state.map { ["": ["value": $0]] } ?? [:]
        case .enumerated, .skip, .take: count == 0 ? [:] : ["": .number(Double(count))]
        case .groupBy:
            groups.reduce(into: [:]) { cells, group in
                for (path, value) in group.value.cells { cells["\(group.key)/\(path)"] = value }
            }
        case .filter, .list, .buffer, .withLatestFrom, .takeWhile, .first, .elementAt: [:]
        }
    }
}
