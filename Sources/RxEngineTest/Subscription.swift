/// The virtual time for which an observer was subscribed to a testable observable.
public struct Subscription: Hashable, Sendable {
    /// When it subscribed.
    public let subscribe: TestTime
    /// When it left; `Int.max` if it never did.
    public let unsubscribe: TestTime

    /// A subscription that never ended.
    public init(_ subscribe: TestTime) {
        self.init(subscribe, .max)
    }

    /// A subscription.
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
