/// The report that an action has held a thread of a scheduler for longer than ``Hooks/blockedAfter``.
public struct BlockedScheduler: Sendable {
    /// The label of the scheduler's queue, or the name of its operation queue.
    ///
    /// For an ``ExecutorScheduler``, it is the type of the actor or executor.
    public let queue: String
    /// How long the action has run by now.
    public let duration: Duration
    /// The operator whose events the action delivers, if that is known.
    ///
    /// It is known for `observe(on:)`, `interval`, `timer`, and for an operator that delays the elements of a source, such
    /// as `debounce`.
    public let operation: Operator?
    /// The name of the checkpoint of that operator, while ``Resources/recording`` is on.
    public let checkpoint: String?
}

extension BlockedScheduler: CustomStringConvertible {
    /// The queue, the operator and the time, as in `rx.api: debounce, checkpoint "orders", has run for 1.0 s`.
    ///
    /// A time below a second is in milliseconds.
    public var description: String {
        let place = [operation.map { "\($0)" } ?? "an action", checkpoint.map { "checkpoint \"\($0)\"" }]
        let time = duration < .seconds(1) ? "\(duration.nanoseconds / 1_000_000) ms" : duration.seconds
        return "\(queue): \(place.compactMap(\.self).joined(separator: ", ")), has run for \(time)"
    }
}
