extension Program {
    /// Every simpler program that results from leaving one part out.
    var reductions: [Program] {
        var result: [Program] = []
        func add(_ change: (inout Program) -> Void) {
            var copy = self
            change(&copy)
            copy.updateShared()
            result.append(copy)
        }
        for simpler in root.reductions { add { $0.root = simpler } }
        for (index, part) in shared.enumerated() {
            for simpler in part.reductions { add { $0.shared[index] = simpler } }
        }
        for index in subscribers.indices where !subscribers[index].isEarly && isUsed(index) {
            add { program in
                program.scripts = program.scripts.map { $0.filter { $0.subscriber != index } }
            }
        }
        for (thread, script) in scripts.enumerated() {
            for place in script.indices where script[place].mayBeLeftOut {
                add { $0.scripts[thread].remove(at: place) }
            }
        }
        for index in hot.indices where hot[index].count > 2 { add { $0.hot[index].count /= 2 } }
        if producers > 1 { add { $0.producers -= 1 } }
        if let last = subscribers.last, subscribers.count > 1, last.isEarly { add { $0.subscribers.removeLast() } }
        return result
    }

    private func isUsed(_ subscriber: Int) -> Bool {
        scripts.joined().contains { $0.subscriber == subscriber }
    }

    /// Updates the guarantees of the shared parts wherever they are used.
    private mutating func updateShared() {
        var known: [Guarantees] = []
        for index in shared.indices {
            shared[index] = shared[index].updated(known, hot)
            var guarantees = shared[index].guarantees
            if connectables.contains(index) {
                guarantees.isShared(replay: 0)
                guarantees.isComplete = false
                guarantees.ends = false
            }
            known.append(guarantees)
        }
        root = root.updated(known, hot)
    }
}

extension Node {
    fileprivate func updated(_ shared: [Guarantees], _ hot: [HotPlan]) -> Node {
        switch self {
        case .hot(let index, _, let lane): .hot(index, hot[index], lane: lane)
        case .cold: self
        case .shared(let index, _, let lane): .shared(index, shared[index], lane: lane)
        case .step(let step, let source): .step(step, source.updated(shared, hot))
        case .combining(let combining, let parts): .combining(combining, parts.map { $0.updated(shared, hot) })
        }
    }
}

extension Action {
    fileprivate var subscriber: Int? {
        switch self {
        case .subscribe(let index), .dispose(let index), .bag(let index): index
        default: nil
        }
    }

    fileprivate var mayBeLeftOut: Bool {
        if case .subscribe = self { false } else { true }
    }
}

/// Removes parts of `program` for as long as it keeps failing.
///
/// - Parameter failing: runs a program several times, and returns the violations.
func shrink(
    _ program: Program, within time: Duration, _ failing: (Program) -> [String]
) -> (program: Program, violations: [String]) {
    let end = ContinuousClock.now + time
    var simplest = (program: program, violations: ["it has not failed again"])
    var hasChanged = true
    while hasChanged {
        hasChanged = false
        for candidate in simplest.program.reductions {
            if ContinuousClock.now > end { return simplest }
            let violations = failing(candidate)
            if violations.isEmpty { continue }
            simplest = (candidate, violations)
            hasChanged = true
            break
        }
    }
    return simplest
}
