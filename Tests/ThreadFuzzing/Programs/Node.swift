import RxEngine

/// A part of a program: the expression of one observable.
indirect enum Node: Sendable {
    case hot(Int, HotPlan, lane: UInt64)
    case cold(ColdPlan)
    /// A part that several others use.
    case shared(Int, Guarantees, lane: UInt64)
    case step(OperatorStep, Node)
    case combining(CombiningStep, [Node])

    /// The guarantees of its elements.
    var guarantees: Guarantees {
        switch self {
        case .hot(_, let plan, _): return plan.guarantees
        case .cold(let plan): return plan.guarantees
        case .shared(_, let guarantees, _): return guarantees
        case .step(let step, let source):
            var result = source.guarantees
            step.effect(&result)
            return result
        case .combining(let combining, let parts): return combining.guarantees(parts.map(\.guarantees))
        }
    }

    /// The observable; assembled once for all subscribers.
    func assemble(_ run: RunContext) -> Observable<Tagged> {
        switch self {
        case .hot(let index, _, let lane): return Self.lane(run.hot[index].observable, lane)
        case .cold(let plan): return plan.make(run)
        case .shared(let index, _, let lane): return Self.lane(run.shared.value[index], lane)
        case .step(let step, let source): return step.apply(source.assemble(run), run)
        case .combining(let combining, let parts): return combining.apply(parts.map { $0.assemble(run) }, run)
        }
    }

    private static func lane(_ source: Observable<Tagged>, _ lane: UInt64) -> Observable<Tagged> {
        lane == 0 ? source : source.map { $0.inLane(lane) }
    }

    /// The operators in it, with repetitions.
    var operators: [String] {
        switch self {
        case .hot(_, let plan, _): [plan.kind == .merged ? "merge" : plan.kind.rawValue]
        case .cold(let plan): [plan.name]
        case .shared: []
        case .step(let step, let source): step.names + source.operators
        case .combining(let combining, let parts): [combining.name] + parts.flatMap(\.operators)
        }
    }

    /// The program's text, continued by indented lines.
    func text(_ indent: String = "    ") -> String {
        switch self {
        case .hot(let index, _, let lane): return "hot\(index)" + (lane == 0 ? "" : ".inLane(\(lane))")
        case .cold(let plan): return plan.text
        case .shared(let index, _, let lane): return "shared\(index)" + (lane == 0 ? "" : ".inLane(\(lane))")
        case .step(let step, let source): return "\(source.text(indent))\n\(indent)\(step.text)"
        case .combining(let combining, let parts):
            let inner = indent + "    "
            return "\(combining.text)(\n" + parts.map { inner + $0.text(inner + "    ") }.joined(separator: ",\n") + ")"
        }
    }

    /// Every simpler node that results from removing one part.
    var reductions: [Node] {
        switch self {
        case .hot, .cold, .shared: return []
        case .step(let step, let source): return [source] + source.reductions.map { .step(step, $0) }
        case .combining(let combining, let parts):
            var result = parts
            if parts.count > combining.least {
                result += parts.indices.map { index in
                    var fewer = parts
                    fewer.remove(at: index)
                    return .combining(combining, fewer)
                }
            }
            for (index, part) in parts.enumerated() {
                result += part.reductions.map { simpler in
                    var others = parts
                    others[index] = simpler
                    return .combining(combining, others)
                }
            }
            return result
        }
    }
}

/// An operator with one source, with its parameters.
struct OperatorStep: Sendable {
    /// The operators that it is made of, for the counts.
    let names: [String]
    let text: String
    /// How it changes its source's guarantees.
    let effect: @Sendable (inout Guarantees) -> Void
    let apply: @Sendable (Observable<Tagged>, RunContext) -> Observable<Tagged>

    init(
        _ names: String..., text: String, effect: @escaping @Sendable (inout Guarantees) -> Void = { _ in },
        apply: @escaping @Sendable (Observable<Tagged>, RunContext) -> Observable<Tagged>
    ) {
        self.names = names
        self.text = text
        self.effect = effect
        self.apply = apply
    }
}

/// An operator with several sources, with its parameters.
struct CombiningStep: Sendable {
    let name: String
    let text: String
    /// The minimum number of sources.
    let least: Int
    let guarantees: @Sendable ([Guarantees]) -> Guarantees
    let apply: @Sendable ([Observable<Tagged>], RunContext) -> Observable<Tagged>
}
