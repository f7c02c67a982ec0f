/// What happened in a run of a program, in order.
package struct Entry: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        /// A subscriber's event.
        case event(subscriber: Int, ProgramEvent)
        /// A hot source was subscribed to or disposed.
        case hotSubscribed(Int), hotDisposed(Int)
        /// A cold source, a `create` or the resource of a `using` began or was disposed.
        case began(Int), disposed(Int)
        /// A closure of a `do` ran.
        case effect(Int, SideEffects.Callback, Int)
    }

    package let tick: Int
    package let what: What
}

extension Entry: CustomStringConvertible {
    package var description: String {
        switch what {
        case .event(let subscriber, let event): "\(tick)\t#\(subscriber) \(event)"
        case .hotSubscribed(let number): "\(tick)\tsubscribed hot\(number)"
        case .hotDisposed(let number): "\(tick)\tdisposed hot\(number)"
        case .began(let id): "\(tick)\tbegan \(id)"
        case .disposed(let id): "\(tick)\tdisposed \(id)"
        case .effect(let id, let moment, let value): "\(tick)\tdo\(id) \(moment) \(value)"
        }
    }
}

/// The record of one run.
package struct Recording: Hashable, Sendable {
    /// How many entries a run may have. One that needs more has a loop without end, in all likelihood.
    static let limit = 1000

    package var entries: [Entry] = []
    /// What the engine left behind, or did against the rules.
    package var leak: String?
    /// Whether a source without end was stopped because it had emitted too much.
    var wasStopped = false
}

extension Recording: CustomStringConvertible {
    package var description: String {
        (entries.map(\.description) + [leak].compactMap { $0 }).joined(separator: "\n")
    }
}
