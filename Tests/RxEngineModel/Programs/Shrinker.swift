extension Program {
    /// Simpler programs, the simplest first.
    package var simpler: [Program] {
        var programs: [Program] = []
        for root in root.simpler { programs.append(with { $0.root = root }) }
        for index in subscribers.indices {
            if subscribers.count > 1 { programs.append(with { $0.subscribers.remove(at: index) }) }
            if subscribers[index].disposesAfter != nil {
                programs.append(with { $0.subscribers[index].disposesAfter = nil })
            }
            if subscribers[index].disposesAt != Program.horizon {
                programs.append(with { $0.subscribers[index].disposesAt = Program.horizon })
            }
            if subscribers[index].subscribesAt != 2 { programs.append(with { $0.subscribers[index].subscribesAt = 2 }) }
        }
        for index in feedback.indices { programs.append(with { $0.feedback.remove(at: index) }) }
        for index in shared.indices {
            for node in shared[index].node.simpler { programs.append(with { $0.shared[index].node = node }) }
        }
        for hot in hots.indices {
            for events in hots[hot].simpler { programs.append(with { $0.hots[hot] = events }) }
        }
        return programs
    }

    private func with(_ change: (inout Program) -> Void) -> Program {
        var program = self
        change(&program)
        return program
    }

    /// The simplest program that can be reached from this one by steps that keep `condition` true.
    package func shrunk(while condition: (Program) -> Bool) -> Program {
        var smallest = self
        var attempts = 0
        search: while attempts < 5000 {
            for candidate in smallest.simpler {
                attempts += 1
                if condition(candidate) {
                    smallest = candidate
                    continue search
                }
            }
            break
        }
        return smallest
    }
}

extension Array where Element == TimedEvent {
    /// The same with an event less, or an earlier one.
    fileprivate var simpler: [[TimedEvent]] {
        indices.map { index in
            var events = self
            events.remove(at: index)
            return events
        }
    }
}

extension Node {
    /// Simpler expressions: a child in place of its operator, a simple source in place of an expression, and the same
    /// operator with less.
    package var simpler: [Node] {
        var nodes = children
        if size > 1 { nodes += [.source(.hot(0)), .source(.just(1)), .source(.empty), .source(.error(1))] }
        switch self {
        case .source(let source): nodes += source.simpler.map(Node.source)
        case .one(let name, let node): nodes += name.simpler.map { .one($0, node) }
        case .two(.via(_, .fallback), let first, let second), .two(.via(_, .recover), let first, let second):
            nodes.append(.two(.catchHandler(throws: false), first, second))
        case .two(.via(_, let name), let first, let second): nodes.append(.two(name, first, second))
        case .two: break
        case .many(let name, let children):
            if case .via(_, let inner) = name { nodes.append(.many(inner, children)) }
            if children.count > (name.isFixed ? 2 : 0) {
                for index in children.indices {
                    var fewer = children
                    fewer.remove(at: index)
                    nodes.append(.many(name, fewer))
                }
            }
        case .each(let name, let node, let choice):
            if case .via(_, let inner) = name { nodes.append(.each(inner, node, choice)) }
            if choice.throwsAt != nil { nodes.append(.each(name, node, Choice(choice.nodes))) }
            if choice.nodes.count > 1 {
                nodes += choice.nodes.map { .each(name, node, Choice([$0], throwsAt: choice.throwsAt)) }
            }
        }
        for (index, child) in children.enumerated() {
            for simpler in child.simpler {
                var others = children
                others[index] = simpler
                nodes.append(with(children: others))
            }
        }
        return nodes
    }
}

extension Source {
    fileprivate var simpler: [Source] {
        switch self {
        case .cold(let id, let events):
            [.hot(0), .just(1)] + events.simpler.map { .cold(id: id, $0) }
        case .of(let values) where values.count > 1:
            [.just(1), .of(Array(values.dropLast())), .of([1, 2])].filter { $0 != self }
        case .of: [.just(1)]
        case .from(let values): [.of([1, 2])] + (values.isEmpty ? [] : [.from(Array(values.dropLast()))])
        case .range: [.of([1, 2]), .just(1)]
        case .generate: [.of([1, 2]), .just(1), .error(73)]
        case .repeatElement: [.of([1, 2])]
        case .create(let id, let events):
            [.just(1), .error(1)]
                + events.indices.map {
                    var fewer = events
                    fewer.remove(at: $0)
                    return .create(id: id, fewer)
                }
        case .timer, .ticks, .interval, .justScheduled, .ofScheduled, .fromScheduled, .rangeScheduled,
            .generateScheduled,
            .repeatScheduled:
            [.just(1), .hot(0)]
        case .ungrammatical(let id, let events):
            [.just(1), .error(1), .create(id: id, events)]
                + events.indices.map {
                    var fewer = events
                    fewer.remove(at: $0)
                    return .ungrammatical(id: id, fewer)
                }
        case .optional: [.just(1), .empty]
        case .via(_, let source): [source] + source.simpler
        default: []
        }
    }
}

extension OneSource {
    fileprivate var simpler: [OneSource] {
        switch self {
        case .do(let effects):
            effects.closures.sorted { $0.rawValue < $1.rawValue }.map {
                var fewer = effects
                fewer.closures.remove($0)
                return .do(fewer)
            }
                + (effects.throwsAt == nil && !effects.throwsAtEnd
                    ? [] : [.do(SideEffects(id: effects.id, closures: effects.closures))])
        case .map(let function) where function.throwsAt != nil: [.identityMap, .map(Function(kind: function.kind))]
        case .map: [.identityMap]
        case .retryForever: [.retry(2)]
        case .retryPolicy(let policy):
            [.retryPolicy(OneSource.Policy(times: policy.times, span: policy.span)), .retry(2)].filter { $0 != self }
        case .multicastSelector(let selector) where selector != .itself: [.multicastSelector(.itself)]
        case .retry(3): [.retry(2)]
        case .via(let trait, let name): [name] + name.simpler.map { .via(trait, $0) }
        case .take(let count) where count > 1: [.take(count - 1)]
        default: []
        }
    }
}
