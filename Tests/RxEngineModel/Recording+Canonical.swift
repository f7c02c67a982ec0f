// What of the order inside a tick is fixed by the contract, and what is not.
//
// `afterError` and `afterCompleted` run some time after the end was passed on, in the same tick.
//
// Fixed: the order of events, of subscriptions and of the closures of `do`; that what is freed because of an end is
// freed before a successor is subscribed to; in a chain of operators with one source each, the whole order. Not fixed:
// where several sources are freed together, in which order, and whether before or after downstream gets the end. Nor when
// what a source that ends inside its own start has made is freed: when its start has returned, which is before or after a
// successor is subscribed to, depending on whether nested operators are one run.

extension Recording {
    /// The record with `afterError` and `afterCompleted` at the end of their tick.
    var withoutOrderAfterEnds: Recording { arranged(movingFreed: false) }

    /// The same, with what is freed in a tick, between two subscriptions, at the end and in one order.
    var canonical: Recording { arranged(movingFreed: true) }

    /// The canonical record without subscriptions that were freed in the same tick. A shared run that its only subscriber has
    /// left while it was being started may still subscribe to something.
    var withoutIdleSubscriptions: Recording {
        var entries: [Entry] = []
        for entry in canonical.entries {
            let begin = entries.lastIndex { $0.tick == entry.tick && $0.what == entry.what.opened }
            if let begin { entries.remove(at: begin) } else { entries.append(entry) }
        }
        return Recording(entries: entries)
    }

    private func arranged(movingFreed: Bool) -> Recording {
        var result: [Entry] = []
        var freed: [Entry] = []
        var after: [Entry] = []
        var begun: [Entry.What] = []
        var tick = Int.min
        func endSegment() {
            result += freed.count > 1 ? freed.sorted { "\($0.what)" < "\($1.what)" } : freed
            freed = []
        }
        func endTick() {
            result += after.sorted { "\($0.what)" < "\($1.what)" }
            after = []
            begun = []
        }
        for entry in entries {
            if entry.tick != tick || entry.what.isSubscription { endSegment() }
            if entry.tick != tick { endTick() }
            tick = entry.tick
            if movingFreed, let opened = entry.what.opened, let index = begun.firstIndex(of: opened) {
                begun.remove(at: index)
                after.append(entry)
                continue
            }
            if entry.what.isSubscription { begun.append(entry.what) }
            if entry.what.isAfterEnd {
                after.append(entry)
            } else if movingFreed, entry.what.isFreeing {
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

extension Entry.What {
    fileprivate var isSubscription: Bool {
        switch self {
        case .began, .hotSubscribed: true
        default: false
        }
    }

    /// What this frees.
    fileprivate var opened: Entry.What? {
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

extension Entry.What {
    fileprivate var isAfterEnd: Bool {
        switch self {
        case .effect(_, .afterCompleted, _), .effect(_, .afterError, _): true
        default: false
        }
    }
}

extension Program {
    /// Whether no operator of it has several sources, so that the whole order is fixed.
    var isChain: Bool { root.isChain && subscribers.count == 1 }
}

extension Node {
    fileprivate var isChain: Bool {
        switch self {
        case .source: true
        case .one(_, let node): node.isChain
        default: false
        }
    }
}
