import RxEngine
import RxMarbles

extension TestableObservable {
    /// Returns the differences between diagrams of subscriptions and the recorded ones, or `nil` if there are none.
    ///
    /// - Parameters:
    ///   - marbles: a diagram such as `--^---!` for each expected subscription, in their order.
    ///   - origin: the virtual time of the first frame.
    /// - Returns: a comparison for each subscription that differs, with a line that says which one it is.
    /// - Throws: a `MarbleError` if a diagram is not valid.
    public func subscriptionDifference(
        from marbles: [String], startingAt origin: TestTime = TestScheduler.Defaults.subscribed
    ) throws(MarbleError) -> String? {
        var expected: [[Marble]] = []
        for text in marbles { expected.append(try MarbleSubscription(text, frame: scheduler.frame).marbles) }
        let received = subscriptions.map { $0.marbles(from: origin) }
        let differences = Subscription.differences(expected, received) {
            MarbleComparison(expected: $0, received: $1, frame: scheduler.frame, time: { "at \(origin + $0)" })
        }
        return differences.isEmpty ? nil : differences.joined(separator: "\n")
    }
}

extension Subscription {
    /// Compares subscriptions in their order.
    ///
    /// - Parameters:
    ///   - expected: the marks of each subscription.
    ///   - received: the marks of each subscription.
    ///   - compare: compares two, of which one may be missing.
    /// - Returns: for each that differs, which one it is, and the comparison.
    static func differences(
        _ expected: [[Marble]], _ received: [[Marble]], _ compare: ([Marble], [Marble]) -> MarbleComparison
    ) -> [String] {
        (0..<max(expected.count, received.count)).compactMap { index in
            let comparison = compare(
                index < expected.count ? expected[index] : [], index < received.count ? received[index] : [])
            return comparison.isEqual ? nil : "subscription \(index + 1)\n\(comparison)"
        }
    }

    /// The subscription as marks of a diagram, whose first frame is at `origin`.
    func marbles(from origin: TestTime) -> [Marble] {
        MarbleSubscription(
            subscribe: subscribe - origin, unsubscribe: unsubscribe == .max ? nil : unsubscribe - origin
        ).marbles
    }
}
