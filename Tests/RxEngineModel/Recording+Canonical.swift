// Which part of the order inside a tick the contract fixes.
//
// `afterError` and `afterCompleted` run some time after the end was delivered, in the same tick.
//
// Fixed: the order of events, of subscriptions and of the closures of `do`; that what an end releases is released
// before the next source is subscribed to; in a chain of operators with one source each, the whole order. Not fixed: if
// several sources are released together, their order, and whether that precedes the delivery of the end. Nor when a
// source that ends inside its own start is released: after its start has returned, which is before or after the next
// source is subscribed to, depending on whether nested operators are one run.

extension Recording {
    /// The recording with `afterError` and `afterCompleted` at the end of their tick.
    var withoutOrderAfterEnds: Recording { arranged(movingFreed: false) }

    /// The same, with the releases of a tick, between two subscriptions, at the end and in a fixed order.
    var canonical: Recording { arranged(movingFreed: true) }

    /// The canonical recording with `onDispose` at the end of its tick.
    var withoutOrderOfDisposal: Recording {
        let ticks = Dictionary(grouping: canonical.entries, by: \.tick)
        return Recording(
            entries: ticks.keys.sorted().flatMap { tick in
                let entries = ticks[tick, default: []]
                return entries.filter { !$0.kind.isOnDispose }
                    + entries.filter(\.kind.isOnDispose).sorted { "\($0.kind)" < "\($1.kind)" }
            })
    }

    /// The canonical recording without closures of `do`, and without subscriptions that were released in the same tick:
    /// a shared run whose only subscriber has unsubscribed during its start may still subscribe to something, and so
    /// may a source that `subscribe(on:)` has not released yet.
    var withoutIdleSubscriptions: Recording {
        var entries: [Entry] = []
        for entry in canonical.entries {
            if case .effect = entry.kind { continue }
            let begin = entries.lastIndex { $0.tick == entry.tick && $0.kind == entry.kind.opened }
            if let begin { entries.remove(at: begin) } else { entries.append(entry) }
        }
        return Recording(entries: entries)
    }

    /// The same, with the events of each tick before its other entries, which are in a fixed order.
    var withoutOrderOfKinds: Recording {
        let idle = withoutIdleSubscriptions
        let ticks = Set(idle.entries.map(\.tick)).sorted()
        return Recording(
            entries: ticks.flatMap { tick in
                let entries = idle.entries.filter { $0.tick == tick }
                return entries.filter(\.kind.isEvent)
                    + entries.filter { !$0.kind.isEvent }.sorted { "\($0.kind)" < "\($1.kind)" }
            })
    }

    private func arranged(movingFreed: Bool) -> Recording {
        var result: [Entry] = []
        var freed: [Entry] = []
        var after: [Entry] = []
        var begun: [Entry.Kind] = []
        var tick = Int.min
        func endSegment() {
            result += freed.count > 1 ? freed.sorted { "\($0.kind)" < "\($1.kind)" } : freed
            freed = []
        }
        func endTick() {
            result += after.sorted { "\($0.kind)" < "\($1.kind)" }
            after = []
            begun = []
        }
        for entry in entries {
            if entry.tick != tick || entry.kind.isSubscription { endSegment() }
            if entry.tick != tick { endTick() }
            tick = entry.tick
            if movingFreed, let opened = entry.kind.opened, let index = begun.firstIndex(of: opened) {
                begun.remove(at: index)
                after.append(entry)
                continue
            }
            if entry.kind.isSubscription { begun.append(entry.kind) }
            if entry.kind.isAfterEnd || movingFreed && entry.kind.isAfterCall {
                after.append(entry)
            } else if movingFreed, entry.kind.isFreeing {
                freed.append(entry)
            } else {
                result.append(entry)
            }
        }
        endSegment()
        endTick()
        return Recording(entries: result)
    }
}

extension Entry.Kind {
    fileprivate var isSubscription: Bool {
        switch self {
        case .began, .hotSubscribed: true
        default: false
        }
    }

    /// The entry that this entry releases.
    fileprivate var opened: Entry.Kind? {
        switch self {
        case .disposed(let id): .began(id)
        case .hotDisposed(let number): .hotSubscribed(number)
        default: nil
        }
    }

    fileprivate var isFreeing: Bool {
        switch self {
        case .disposed, .hotDisposed, .effect(_, .onDispose, _): true
        default: false
        }
    }
}

extension Entry.Kind {
    fileprivate var isAfterEnd: Bool {
        switch self {
        case .effect(_, .afterCompleted, _), .effect(_, .afterError, _): true
        default: false
        }
    }

    /// Whether it precedes the end of a source that ends inside `subscribe` depends on whether nested operators are one
    /// run, and on when an operator with several sources delivers the end of one.
    fileprivate var isAfterCall: Bool {
        switch self {
        case .effect(_, .onSubscribed, _), .effect(_, .afterNext, _): true
        default: false
        }
    }

    fileprivate var isOnDispose: Bool {
        if case .effect(_, .onDispose, _) = self { true } else { false }
    }

    fileprivate var isEvent: Bool {
        if case .event = self { true } else { false }
    }
}

extension Program {
    /// Whether it nests operators that run sources one after the other: the engine makes one run of those, and releases
    /// a source that ends inside its own start after that has returned, before the next source.
    var nestsSequentialOperators: Bool { ([root] + shared.map(\.node)).contains { $0.sequentialOperators > 1 } }

    /// Whether no operator has several sources, or runs one several times, so that the whole order is fixed.
    var isChain: Bool { root.isChain && root.sequentialOperators == 0 && subscribers.count == 1 }
}

extension Program {
    /// Whether an inserted operator may change the order inside a tick: it prevents nested sequences from being one
    /// run, or a sequence that `subscribe(on:)` has silenced and not released yet from noticing.
    var hasLooseOrder: Bool {
        let nodes = [root] + shared.map(\.node)
        return nestsSequentialOperators || usesSubscribeOn
            || nodes.reduce(0) { $0 + $1.sequentialOperators } > 1
    }
}

extension Program {
    var usesSubscribeOn: Bool { ([root] + shared.map(\.node)).contains(where: \.withoutSharedTraits.usesSubscribeOn) }
}

extension Node {
    fileprivate var usesSubscribeOn: Bool {
        switch self {
        case .one(.subscribeOn, _), .one(.via(_, .subscribeOn), _): true
        default: children.contains(where: \.usesSubscribeOn)
        }
    }

    /// The number of operators that run sources one after the other. The engine makes one run of nested ones.
    var sequentialOperators: Int {
        let isSequential =
            switch self {
            case .one(let name, _): name.isSequential
            case .two(let name, _, _): name.isSequential
            case .many(let name, _): name.isSequential
            default: false
            }
        return children.reduce(isSequential ? 1 : 0) { $0 + $1.sequentialOperators }
    }

    fileprivate var isChain: Bool {
        switch self {
        // The disposable that it returns has no fixed place among the other entries at its end.
        case .source(.ungrammatical): false
        case .source: true
        case .one(.retryPolicy, _), .one(.via(_, .retryPolicy), _), .one(.groupBy, _), .one(.window, _): false
        case .one(_, let node): node.isChain
        default: false
        }
    }
}

extension OneSource {
    fileprivate var isSequential: Bool {
        switch self {
        case .retry, .retryForever, .repeatCount: true
        case .via(_, let name): name.isSequential
        default: false
        }
    }
}

extension TwoSources {
    fileprivate var isSequential: Bool {
        switch self {
        case .concat, .catchHandler, .andThen, .andThenTrait, .fallback, .recover, .mergeDelayError, .concatDelayError:
            true
        case .via(_, let name): name.isSequential
        default: false
        }
    }
}

extension ManySources {
    fileprivate var isSequential: Bool {
        switch self {
        case .concat, .catchSequence, .combineLatestDelayError: true
        case .via(_, let name): name.isSequential
        default: false
        }
    }
}
