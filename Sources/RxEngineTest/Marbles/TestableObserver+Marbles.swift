import RxEngine
import RxMarbles

extension TestableObserver where Element: Equatable {
    /// Returns the difference between a marble diagram and the recorded events, or `nil` if there is none.
    ///
    /// A failed expectation prints both diagrams:
    ///
    /// ```swift
    /// #expect(try observer.difference(from: "-a-b-|", values: ["a": 10, "b": 20]) == nil)
    /// ```
    ///
    /// - Parameters:
    ///   - marbles: the diagram of the expected events. A frame is one unit of virtual time.
    ///   - values: what the characters stand for.
    ///   - error: the error that `#` stands for. Errors are equal if their descriptions are.
    ///   - origin: the virtual time of frame 0.
    /// - Throws: a `MarbleError` if the diagram is not valid.
    public func difference(
        from marbles: String, values: MarbleValues<Element>, error: any Error = MarbleFailure(),
        startingAt origin: TestTime = TestScheduler.Defaults.subscribed
    ) throws(MarbleError) -> MarbleComparison? {
        try MarbleScript(marbles, values, error, from: origin, scheduler.frame).difference(from: events)
    }
}

extension TestableObserver<String> {
    /// Returns the difference between a marble diagram of strings and the recorded events, or `nil` if there is none.
    ///
    /// Each character stands for the string of that character.
    ///
    /// - Parameters:
    ///   - marbles: the diagram of the expected events. A frame is one unit of virtual time.
    ///   - error: the error that `#` stands for. Errors are equal if their descriptions are.
    ///   - origin: the virtual time of frame 0.
    /// - Throws: a `MarbleError` if the diagram is not valid.
    public func difference(
        from marbles: String, error: any Error = MarbleFailure(),
        startingAt origin: TestTime = TestScheduler.Defaults.subscribed
    ) throws(MarbleError) -> MarbleComparison? {
        try difference(from: marbles, values: .names, error: error, startingAt: origin)
    }
}
