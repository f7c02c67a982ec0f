extension Program {
    /// The program that `seed` determines.
    init(seed: UInt64) {
        var draft = Draft(seed: seed)
        // A thread that emits often becomes a subject's owner: that takes some hundreds of elements.
        let isLong = draft.random.chance(10)
        for _ in 0..<draft.random.within(1...4) {
            let count = isLong ? draft.random.within(280...500) : draft.random.within(1...30)
            draft.hot.append(HotPlan(&draft.random, &draft.nextProducer, count: count))
        }
        var tree = TreeGenerator(draft, limit: isLong ? 3000 : 500)
        for index in 0..<tree.draft.random.below(3) {
            var part = tree.draw(depth: 1)
            if tree.draft.random.chance(25) {
                tree.connectables.insert(index)
                part.guarantees.isShared(replay: 0)
                part.guarantees.isComplete = false
                part.guarantees.ends = false
            } else if tree.draft.random.chance(80) {
                part = tree.adding(tree.sharing(), to: part)
            }
            tree.shared.append(part)
        }
        let root = tree.draw(depth: isLong ? 1 : 2).node
        draft = tree.draft
        hot = draft.hot
        shared = tree.shared.map(\.node)
        connectables = tree.connectables
        self.root = root
        producers = draft.random.within(2...4)
        pauses = (0..<4).map { _ in draft.random.chance(50) ? 0 : draft.random.below(4000) }
        subscribers = []
        scripts = []
        drawSubscribers(&draft)
    }

    private mutating func drawSubscribers(_ draft: inout Draft) {
        let early = draft.random.within(1...3)
        let late = draft.random.below(6)
        for index in 0..<early + late {
            let leave: SubscriberPlan.Leave
            switch draft.random.below(10) {
            case 0..<6: leave = .never
            case 6..<8: leave = .inside(draft.random.within(1...6))
            default: leave = .onQueue(draft.random.within(1...6))
            }
            subscribers.append(
                SubscriberPlan(
                    leave: leave, subscribesAt: draft.random.chance(10) ? draft.random.within(1...4) : nil,
                    isEarly: index < early, pause: draft.random.chance(25) ? draft.random.below(5000) : 0))
        }
        let threads = draft.random.within(1...3)
        scripts = Array(repeating: [], count: threads)
        for index in connectables.sorted() { addConnecting(index, &draft) }
        for index in early..<early + late {
            let thread = draft.random.below(threads)
            if draft.random.chance(40) { scripts[thread].append(.awaitProgress(draft.random.below(40))) }
            if draft.random.chance(40) { scripts[thread].append(.pause(draft.random.below(20_000))) }
            scripts[thread].append(.subscribe(index))
            if draft.random.chance(25) { scripts[thread].append(.bag(index)) }
            if draft.random.chance(20) { scripts[thread].append(.replaceBag) }
        }
        for index in subscribers.indices where draft.random.chance(40) {
            let thread = draft.random.below(threads)
            if draft.random.chance(50) { scripts[thread].append(.awaitProgress(draft.random.below(40))) }
            scripts[thread].append(.dispose(index))
        }
        if draft.random.chance(8), !hot.isEmpty {
            scripts[draft.random.below(threads)].append(.disposeSubject(draft.random.below(hot.count)))
        }
    }

    private mutating func addConnecting(_ index: Int, _ draft: inout Draft) {
        let thread = draft.random.below(scripts.count)
        for _ in 0..<draft.random.within(1...3) {
            scripts[thread].append(.connect(index))
            scripts[thread].append(.awaitProgress(draft.random.below(40)))
            if draft.random.chance(50) { scripts[thread].append(.disconnect(index)) }
        }
        scripts[draft.random.below(scripts.count)].append(.connect(index))
    }
}

/// Draws the parts of a program.
private struct TreeGenerator {
    struct Part {
        var node: Node
        var guarantees: Guarantees
    }

    var draft: Draft
    var shared: [Part] = []
    var connectables: Set<Int> = []
    /// How often each hot source and each shared part was used.
    private var hotUses: [Int: Int] = [:]
    private var sharedUses: [Int: Int] = [:]
    /// About how many elements a subscriber may get.
    private let limit: Int

    init(_ draft: Draft, limit: Int) {
        self.draft = draft
        self.limit = limit
    }

    mutating func draw(depth: Int) -> Part {
        var part: Part
        if depth > 0, draft.random.chance(65) {
            let count = draft.random.chance(70) ? 2 : draft.random.within(3...8)
            let parts = (0..<count).map { _ in draw(depth: depth - 1) }
            let join = JoinTable.draw(&draft, count)
            part = Part(node: .join(join, parts.map(\.node)), guarantees: join.guarantees(parts.map(\.guarantees)))
        } else {
            part = leaf()
        }
        for _ in 0..<draft.random.below(depth == 0 ? 3 : 5) { part = adding(StageTable.draw(&draft), to: part) }
        return part
    }

    func adding(_ stage: Stage, to part: Part) -> Part {
        var guarantees = part.guarantees
        stage.effect(&guarantees)
        if guarantees.size > limit { return part }
        return Part(node: .stage(stage, part.node), guarantees: guarantees)
    }

    mutating func sharing() -> Stage {
        StageTable.sharing[draft.random.below(StageTable.sharing.count)].recipe(&draft)
    }

    private mutating func leaf() -> Part {
        if !shared.isEmpty, draft.random.chance(35) {
            let index = draft.random.below(shared.count)
            let uses = sharedUses[index, default: 0]
            sharedUses[index] = uses + 1
            let guarantees = shared[index].guarantees
            return Part(node: .shared(index, guarantees, lane: uses == 0 ? 0 : draft.lane()), guarantees: guarantees)
        }
        if draft.random.chance(70) {
            let index = draft.random.below(draft.hot.count)
            let uses = hotUses[index, default: 0]
            hotUses[index] = uses + 1
            let plan = draft.hot[index]
            return Part(
                node: .hot(index, plan, lane: uses == 0 ? 0 : draft.lane()), guarantees: plan.guarantees)
        }
        let plan = draft.cold()
        return Part(node: .cold(plan), guarantees: plan.guarantees)
    }
}
