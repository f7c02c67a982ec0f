/// The obligation to process a source event. Everything that will still act on the event retains it: queues, timers,
/// buffers, sinks at work. The event is settled when the last reference is released.
final class Delivery: Sendable {
    private enum Owed: Sendable {
        /// An event, by its index among the unsettled ones.
        case event(any DeliveryOwner, Int)
        /// The deliveries of several events, the latest last.
        case list([Delivery])
    }

    private let owed: Owed

    init(_ owner: any DeliveryOwner, at place: Int) {
        owed = .event(owner, place)
    }

    private init(_ parts: [Delivery]) {
        owed = .list(parts)
    }

    deinit {
        if case .event(let owner, let place) = owed { owner.settle(place) }
    }

    /// The delivery of an event that was made of several; `last` is that of the latest.
    static func of(_ deliveries: [Delivery], last: Delivery?) -> Delivery? {
        let all = deliveries + [last].compactMap(\.self)
        guard let first = all.first else { return nil }
        return all.allSatisfy { $0 === first } ? first : Delivery(all)
    }

    /// Changes what steps made of the event; of several, the latest.
    func results<Value>(_ body: (inout StepResults) -> Value) -> Value? {
        switch owed {
        case .event(let owner, let place): owner.results(place, body)
        case .list(let parts): parts.last?.results(body)
        }
    }

    /// Numbers the next event that is made of this one at a sink.
    ///
    /// - Returns: its number, from 0; `nil` if the sink finished it before the redelivery.
    func begin(at sink: String) -> Int? {
        switch owed {
        case .event(let owner, let place): owner.begin(place, at: sink)
        case .list(let parts): parts.last?.begin(at: sink)
        }
    }

    /// Notes that the sink has finished the event with this number.
    func finish(_ number: Int, at sink: String) {
        switch owed {
        case .event(let owner, let place): owner.finish(place, number, at: sink)
        case .list(let parts): parts.last?.finish(number, at: sink)
        }
    }
}

/// Keeps the events that deliveries are about, each at an index of its own.
protocol DeliveryOwner: AnyObject, Sendable {
    /// The delivery of the event is released.
    func settle(_ place: Int)
    func begin(_ place: Int, at sink: String) -> Int?
    func finish(_ place: Int, _ number: Int, at sink: String)
    func results<Value>(_ place: Int, _ body: (inout StepResults) -> Value) -> Value?
}
