extension Program {
    /// The program that `seed` determines.
    init(seed: UInt64) {
        var state = GeneratorState(seed: seed)
        // A thread that emits often becomes a subject's owner, which takes some hundreds of elements.
        let isLong = state.random.chance(10)
        for _ in 0..<state.random.within(1...4) {
            let count = isLong ? state.random.within(280...500) : state.random.within(1...30)
            state.hot.append(HotPlan(&state.random, &state.nextProducer, count: count))
        }
        var tree = TreeGenerator(state, limit: isLong ? 3000 : 500)
        for index in 0..<tree.state.random.below(3) {
            var part = tree.draw(depth: 1)
            if tree.state.random.chance(25) {
                tree.connectables.insert(index)
                part.guarantees.isShared(replay: 0)
                part.guarantees.isComplete = false
                part.guarantees.ends = false
            } else if tree.state.random.chance(80) {
                part = tree.adding(tree.sharing(), to: part)
            }
            tree.shared.append(part)
        }
        let root = tree.draw(depth: isLong ? 1 : 2).node
        state = tree.state
        hot = state.hot
        shared = tree.shared.map(\.node)
        connectables = tree.connectables
        self.root = root
        producers = state.random.within(2...4)
        pauses = (0..<4).map { _ in state.random.chance(50) ? 0 : state.random.below(4000) }
        subscribers = []
        scripts = []
        drawSubscribers(&state)
    }

    private mutating func drawSubscribers(_ state: inout GeneratorState) {
        let early = state.random.within(1...3)
        let late = state.random.below(6)
        for index in 0..<early + late {
            let leave: SubscriberPlan.Leave
            switch state.random.below(10) {
            case 0..<6: leave = .never
            case 6..<8: leave = .inside(state.random.within(1...6))
            default: leave = .onQueue(state.random.within(1...6))
            }
            subscribers.append(
                SubscriberPlan(
                    leave: leave, subscribesAt: state.random.chance(10) ? state.random.within(1...4) : nil,
                    isEarly: index < early, pause: state.random.chance(25) ? state.random.below(5000) : 0))
        }
        let threads = state.random.within(1...3)
        scripts = Array(repeating: [], count: threads)
        for index in connectables.sorted() { addConnecting(index, &state) }
        for index in early..<early + late {
            let thread = state.random.below(threads)
            if state.random.chance(40) { scripts[thread].append(.awaitProgress(state.random.below(40))) }
            if state.random.chance(40) { scripts[thread].append(.pause(state.random.below(20_000))) }
            scripts[thread].append(.subscribe(index))
            if state.random.chance(25) { scripts[thread].append(.bag(index)) }
            if state.random.chance(20) { scripts[thread].append(.replaceBag) }
        }
        for index in subscribers.indices where state.random.chance(40) {
            let thread = state.random.below(threads)
            if state.random.chance(50) { scripts[thread].append(.awaitProgress(state.random.below(40))) }
            scripts[thread].append(.dispose(index))
        }
        if state.random.chance(8), !hot.isEmpty {
            scripts[state.random.below(threads)].append(.disposeSubject(state.random.below(hot.count)))
        }
    }

    private mutating func addConnecting(_ index: Int, _ state: inout GeneratorState) {
        let thread = state.random.below(scripts.count)
        for _ in 0..<state.random.within(1...3) {
            scripts[thread].append(.connect(index))
            scripts[thread].append(.awaitProgress(state.random.below(40)))
            if state.random.chance(50) { scripts[thread].append(.disconnect(index)) }
        }
        scripts[state.random.below(scripts.count)].append(.connect(index))
    }
}

/// Draws the parts of a program.
private struct TreeGenerator {
    struct Part {
        var node: Node
        var guarantees: Guarantees
    }

    var state: GeneratorState
    var shared: [Part] = []
    var connectables: Set<Int> = []
    /// How often each hot source and each shared part was used.
    private var hotUses: [Int: Int] = [:]
    private var sharedUses: [Int: Int] = [:]
    /// About how many elements a subscriber may get.
    private let limit: Int

    init(_ state: GeneratorState, limit: Int) {
        self.state = state
        self.limit = limit
    }

    mutating func draw(depth: Int) -> Part {
        var part: Part
        if depth > 0, state.random.chance(65) {
            let count = state.random.chance(70) ? 2 : state.random.within(3...8)
            let parts = (0..<count).map { _ in draw(depth: depth - 1) }
            let combining = CombiningTable.draw(&state, count)
            part = Part(
                node: .combining(combining, parts.map(\.node)),
                guarantees: combining.guarantees(parts.map(\.guarantees)))
        } else {
            part = leaf()
        }
        for _ in 0..<state.random.below(depth == 0 ? 3 : 5) { part = adding(OperatorTable.draw(&state), to: part) }
        return part
    }

    func adding(_ step: OperatorStep, to part: Part) -> Part {
        var guarantees = part.guarantees
        step.effect(&guarantees)
        if guarantees.size > limit { return part }
        return Part(node: .step(step, part.node), guarantees: guarantees)
    }

    mutating func sharing() -> OperatorStep {
        OperatorTable.sharing[state.random.below(OperatorTable.sharing.count)].recipe(&state)
    }

    private mutating func leaf() -> Part {
        if !shared.isEmpty, state.random.chance(35) {
            let index = state.random.below(shared.count)
            let uses = sharedUses[index, default: 0]
            sharedUses[index] = uses + 1
            let guarantees = shared[index].guarantees
            return Part(node: .shared(index, guarantees, lane: uses == 0 ? 0 : state.lane()), guarantees: guarantees)
        }
        if state.random.chance(70) {
            let index = state.random.below(state.hot.count)
            let uses = hotUses[index, default: 0]
            hotUses[index] = uses + 1
            let plan = state.hot[index]
            return Part(
                node: .hot(index, plan, lane: uses == 0 ? 0 : state.lane()), guarantees: plan.guarantees)
        }
        let plan = state.cold()
        return Part(node: .cold(plan), guarantees: plan.guarantees)
    }
}
