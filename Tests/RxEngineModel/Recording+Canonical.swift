// What of the order inside a tick is fixed by the contract, and what is not.
//
// Fixed: the order of events, of subscriptions and of the closures of `do`; that what is freed because of an end is
// freed before a successor is subscribed to; in a chain of operators with one source each, the whole order. Not fixed:
// where several sources are freed together, in which order, and whether before or after downstream gets the end.

extension Recording {
    /// The record with what is freed in a tick, between two subscriptions, at the end and in one order.
    var canonical: Recording {
        var result: [Entry] = []
        var freed: [Entry] = []
        func flush() {
            result += freed.sorted { "\($0.what)" < "\($1.what)" }
            freed = []
        }
        for entry in entries {
            if entry.tick != result.last?.tick && entry.tick != freed.last?.tick || entry.what.isSubscription {
                flush()
            }
            if entry.what.isFreeing { freed.append(entry) } else { result.append(entry) }
        }
        flush()
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

    fileprivate var isFreeing: Bool {
        switch self {
        case .disposed, .hotDisposed, .effect(_, .onDispose, _): true
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
