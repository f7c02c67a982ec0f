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
        let differences = (0..<max(expected.count, received.count)).compactMap { index in
            let comparison = MarbleComparison(
                expected: index < expected.count ? expected[index] : [],
                received: index < received.count ? received[index] : [],
                frame: scheduler.frame, time: { "at \(origin + $0)" })
            return comparison.isEqual ? nil : "subscription \(index + 1)\n\(comparison)"
        }
        return differences.isEmpty ? nil : differences.joined(separator: "\n")
    }
}

extension Subscription {
    /// The subscription as marks of a diagram, whose first frame is at `origin`.
    fileprivate func marbles(from origin: TestTime) -> [Marble] {
        MarbleSubscription(
            subscribe: subscribe - origin, unsubscribe: unsubscribe == .max ? nil : unsubscribe - origin
        ).marbles
    }
}
