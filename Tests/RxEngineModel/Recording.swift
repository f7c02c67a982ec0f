/// An entry in the recording of a program's run.
package struct Entry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A subscriber's event.
        case event(subscriber: Int, ProgramEvent)
        /// A hot source was subscribed to or disposed.
        case hotSubscribed(Int), hotDisposed(Int)
        /// A cold source, a `create` or the resource of a `using` started or was disposed.
        case began(Int), disposed(Int)
        /// A closure of a `do` ran.
        case effect(Int, SideEffects.Callback, Int)
    }

    package let tick: Int
    package let kind: Kind
}

extension Entry: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .event(let subscriber, let event): "\(tick)\t#\(subscriber) \(event)"
        case .hotSubscribed(let number): "\(tick)\tsubscribed hot\(number)"
        case .hotDisposed(let number): "\(tick)\tdisposed hot\(number)"
        case .began(let id): "\(tick)\tbegan \(id)"
        case .disposed(let id): "\(tick)\tdisposed \(id)"
        case .effect(let id, let moment, let value): "\(tick)\tdo\(id) \(moment) \(value)"
        }
    }
}

/// The recording of one run.
package struct Recording: Hashable, Sendable {
    /// The maximum number of entries of a run. A run that needs more most probably has an endless loop.
    static let limit = 1000

    package var entries: [Entry] = []
    /// What the engine leaked, or which rule it broke.
    package var leak: String?
    /// Whether an endless source was stopped because it had emitted too much.
    var wasStopped = false
}

extension Recording: CustomStringConvertible {
    package var description: String {
        (entries.map(\.description) + [leak].compactMap { $0 }).joined(separator: "\n")
    }
}
