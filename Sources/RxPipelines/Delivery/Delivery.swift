/// What is owed to an event that a source has told: it is held by everything that will still lead to something, be it in a
/// queue, a timer, a list or a sink at work. When the last lets go of it, the event is settled.
final class Delivery: Sendable {
    private enum Owed: Sendable {
        /// An event, by its place among those that are not settled.
        case event(Unsettled, Int)
        /// Several that were put together, the last one last.
        case list([Delivery])
    }

    private let owed: Owed

    init(_ unsettled: Unsettled, at place: Int) {
        owed = .event(unsettled, place)
    }

    private init(_ parts: [Delivery]) {
        owed = .list(parts)
    }

    deinit {
        if case .event(let unsettled, let place) = owed { unsettled.settle(place) }
    }

    /// What is owed to all of these, and to `last`, which came last.
    static func of(_ deliveries: [Delivery], last: Delivery?) -> Delivery? {
        let all = deliveries + [last].compactMap(\.self)
        guard let first = all.first else { return nil }
        return all.allSatisfy { $0 === first } ? first : Delivery(all)
    }

    /// Counts an event that has come to a sink and is made of this one.
    ///
    /// - Returns: how many there were before; `nil` where the sink had done with it before it was delivered again.
    func begin(at sink: String) -> Int? {
        switch owed {
        case .event(let unsettled, let place): unsettled.begin(place, at: sink)
        case .list(let parts): parts.last?.begin(at: sink)
        }
    }

    /// The sink is done with the event of this number among those that have come to it.
    func finish(_ number: Int, at sink: String) {
        switch owed {
        case .event(let unsettled, let place): unsettled.finish(place, number, at: sink)
        case .list(let parts): parts.last?.finish(number, at: sink)
        }
    }
}
