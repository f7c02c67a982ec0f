/// The span of virtual time in which an observer was subscribed to a testable observable.
public struct Subscription: Hashable, Sendable {
    /// When the observer subscribed.
    public let subscribe: TestTime
    /// When the subscription was disposed; `Int.max` if it never was.
    public let unsubscribe: TestTime

    /// Makes a subscription that was never disposed.
    public init(_ subscribe: TestTime) {
        self.init(subscribe, .max)
    }

    /// Makes a subscription.
    ///
    /// - Parameters:
    ///   - subscribe: when the observer subscribed.
    ///   - unsubscribe: when the subscription was disposed.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension Subscription: CustomDebugStringConvertible {
    /// `(from : to)`, or `(from : never)`.
    public var debugDescription: String {
        "(\(subscribe) : \(unsubscribe == .max ? "never" : String(unsubscribe)))"
    }
}
