import RxEngine
import SeededRandom

/// The inner sequence that an operator like `flatMap` makes of an element.
enum Inner: Sendable {
    case just
    case several(lane: UInt64)
    case hot(Int, HotPlan, lane: UInt64)
    case cold(ColdPlan)

    static func draw(_ state: inout GeneratorState) -> Inner {
        switch state.random.below(10) {
        case 0..<3: return .just
        case 3..<5: return .several(lane: state.lane())
        case 5..<8 where !state.hot.isEmpty:
            let index = state.random.below(state.hot.count)
            return .hot(index, state.hot[index], lane: state.lane())
        default: return .cold(state.cold(isSmall: true))
        }
    }

    /// The maximum number of elements of the source, so that there are not too many others.
    var limit: Int? {
        switch self {
        case .just, .several: nil
        case .hot, .cold: 4
        }
    }

    func make(_ element: Tagged, _ run: RunContext) -> Observable<Tagged> {
        switch self {
        case .just: return .just(element)
        case .several(let lane):
            var elements = [element, element, element]
            for number in 0..<3 {
                elements[number] = element.inLane(lane << 32 | UInt64(element.number))
                elements[number].number = number
                elements[number].count = 3
            }
            return .from(elements)
        case .hot(let index, _, let lane):
            let inner = mixed(element.stream ^ mixed(UInt64(element.number) << 32 | lane))
            return run.hot[index].observable.map { $0.inLane(inner) }
        case .cold(let plan): return plan.make(run)
        }
    }

    var text: String {
        switch self {
        case .just: ".just($0)"
        case .several: ".of($0, $0, $0)"
        case .hot(let index, _, let lane): "hot\(index).inLane(\(lane), $0)"
        case .cold(let plan): plan.text
        }
    }

    func effect(_ guarantees: inout Guarantees) {
        switch self {
        case .just: return
        case .several:
            guarantees.isOrdered = guarantees.isUnique
            guarantees.isGapless = guarantees.isUnique
            guarantees.size *= 3
        case .hot(_, let plan, _):
            let inner = plan.guarantees
            guarantees.isOrdered = guarantees.isUnique
            guarantees.isGapless = guarantees.isUnique
            guarantees.isComplete = false
            guarantees.ends = guarantees.ends && inner.ends
            guarantees.isHot = true
            guarantees.size = min(guarantees.size, 4) * inner.size
        case .cold(let plan):
            guarantees.isOrdered = true
            guarantees.isUnique = true
            guarantees.isGapless = true
            guarantees.isCold = true
            guarantees.size = min(guarantees.size, 4) * plan.count
        }
        if limit != nil { guarantees.mayCut() }
        guarantees.streams = nil
    }

    func limited(_ source: Observable<Tagged>) -> Observable<Tagged> {
        limit.map { source.take($0) } ?? source
    }
}

extension OperatorTable {
    static let flattening: [(weight: Int, recipe: StepRecipe)] = [
        (6, { flatten("flatMap", &$0) { source, make in source.flatMap(make) } }),
        (4, { flatten("concatMap", &$0) { source, make in source.concatMap(make) } }),
        (
            4,
            {
                let limit = $0.random.within(1...4)
                return flatten("concatMapEager", text: "concatMapEager(maxConcurrent: \(limit))", &$0) { source, make in
                    source.concatMapEager(maxConcurrent: limit, make)
                }
            }
        ),
        (
            2,
            {
                let limit = $0.random.within(1...3)
                return flatten("merge", text: "map, merge(maxConcurrent: \(limit))", &$0) { source, make in
                    source.map(make).merge(maxConcurrent: limit)
                }
            }
        ),
        (
            2,
            {
                let limit = $0.random.within(1...3)
                return flatten("flatMapLimited", text: "flatMap(maxConcurrent: \(limit))", &$0) { source, make in
                    source.flatMap(maxConcurrent: limit, make)
                }
            }
        ),
        (
            3,
            { state in
                let lanes = [state.lane(), state.lane()]
                let failure = state.failure()
                return OperatorStep(
                    "expand", text: ".expand { two generations of one element\(throwing(failure)) }",
                    effect: {
                        // Parents stay in their lanes, with the gaps that these have.
                        $0.isOrdered = $0.isOrdered && $0.isUnique
                        $0.isGapless = $0.isGapless && $0.isUnique
                        $0.size *= 3
                        $0.streams = nil
                    }
                ) { source, _ in
                    source.map { (element: $0, depth: 0) }
                        .expand { parent in
                            guard parent.depth < 2 else { return .empty() }
                            var child = try parent.element.checked(failure)
                                .inLane(lanes[parent.depth] << 32 | UInt64(parent.element.number))
                            (child.number, child.count) = (0, 1)
                            return .just((child, parent.depth + 1))
                        }
                        .map { $0.element }
                }
            }
        ),
        (5, { flatten("flatMapLatest", mayCut: true, &$0) { source, make in source.flatMapLatest(make) } }),
        (3, { flatten("switchLatest", mayCut: true, &$0) { source, make in source.map(make).switchLatest() } }),
        (3, { flatten("flatMapFirst", mayCut: true, &$0) { source, make in source.flatMapFirst(make) } }),
    ]

    private typealias Make = @Sendable (Tagged) throws -> Observable<Tagged>

    private static func flatten(
        _ name: String, text: String? = nil, mayCut: Bool = false, _ state: inout GeneratorState,
        _ apply: @escaping @Sendable (Observable<Tagged>, @escaping Make) -> Observable<Tagged>
    ) -> OperatorStep {
        let inner = Inner.draw(&state)
        let failure = state.failure()
        let limit = inner.limit.map { ".take(\($0))" } ?? ""
        return OperatorStep(
            name, text: "\(limit).\(text ?? name) { \(inner.text)\(throwing(failure)) }",
            effect: {
                inner.effect(&$0)
                guard mayCut else { return }
                if case .just = inner { $0.mayDrop() } else { $0.mayCut() }
            }
        ) { source, run in
            apply(inner.limited(source)) { try inner.make($0.checked(failure), run) }
        }
    }
}
