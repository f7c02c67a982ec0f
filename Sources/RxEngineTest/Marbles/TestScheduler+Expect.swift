import RxEngine
import RxMarbles

extension TestScheduler {
    /// Runs a test of a sequence, and records an issue if it does not emit the events of a marble diagram.
    ///
    /// ```swift
    /// let source = scheduler.createColdObservable(marbles: "-1-2-|", values: .digits)
    /// scheduler.expect("-a-b-|", values: ["a": 10, "b": 20]) { source.map { $0 * 10 } }
    /// ```
    ///
    /// It calls `start(created:subscribed:disposed:create:)` with the default times, so a scheduler serves for one
    /// expectation: afterwards its clock is past them. The issue has both diagrams.
    ///
    /// - Parameters:
    ///   - marbles: the diagram. A frame is one unit of virtual time, counted from the subscription.
    ///   - values: what the characters stand for.
    ///   - error: the error that `#` stands for. Errors are equal if their descriptions are.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    ///   - create: makes the sequence.
    @preconcurrency
    public func expect<Source: ObservableConvertibleType>(
        _ marbles: String, values: MarbleValues<Source.Element>, error: any Error = MarbleFailure(),
        file: String = #filePath, line: Int = #line, from create: @escaping @Sendable () -> Source
    ) where Source.Element: Equatable {
        expect(
            start(disposed: Defaults.disposed, create: create), toEmit: marbles, values: values, error: error,
            file: file, line: line)
    }

    /// Runs a test of a sequence of strings, and records an issue if it does not emit the events of a marble diagram.
    ///
    /// Each character stands for the string of that character.
    ///
    /// - Parameters:
    ///   - marbles: the diagram. A frame is one unit of virtual time, counted from the subscription.
    ///   - error: the error that `#` stands for. Errors are equal if their descriptions are.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    ///   - create: makes the sequence.
    @preconcurrency
    public func expect<Source: ObservableConvertibleType>(
        _ marbles: String, error: any Error = MarbleFailure(), file: String = #filePath, line: Int = #line,
        from create: @escaping @Sendable () -> Source
    ) where Source.Element == String {
        expect(marbles, values: .names, error: error, file: file, line: line, from: create)
    }

    /// Records an issue if an observer has not received the events of a marble diagram.
    ///
    /// The issue has both diagrams, the differences with their times, and the values.
    ///
    /// - Parameters:
    ///   - observer: the observer, which has received all events.
    ///   - marbles: the diagram. A frame is one unit of virtual time.
    ///   - values: what the characters stand for.
    ///   - error: the error that `#` stands for. Errors are equal if their descriptions are.
    ///   - origin: the virtual time of frame 0.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    public func expect<Element: Equatable>(
        _ observer: TestableObserver<Element>, toEmit marbles: String, values: MarbleValues<Element>,
        error: any Error = MarbleFailure(), startingAt origin: TestTime = Defaults.subscribed,
        file: String = #filePath, line: Int = #line
    ) {
        let difference = IssueLocation(file, line).valid { () throws(MarbleError) in
            try observer.difference(from: marbles, values: values, error: error, startingAt: origin)
        }
        if let comparison = difference ?? nil { IssueLocation(file, line).record("not as expected\n\(comparison)") }
    }

    /// Records an issue if an observer of strings has not received the events of a marble diagram.
    ///
    /// Each character stands for the string of that character.
    ///
    /// - Parameters:
    ///   - observer: the observer, which has received all events.
    ///   - marbles: the diagram. A frame is one unit of virtual time.
    ///   - error: the error that `#` stands for. Errors are equal if their descriptions are.
    ///   - origin: the virtual time of frame 0.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    public func expect(
        _ observer: TestableObserver<String>, toEmit marbles: String, error: any Error = MarbleFailure(),
        startingAt origin: TestTime = Defaults.subscribed, file: String = #filePath, line: Int = #line
    ) {
        expect(
            observer, toEmit: marbles, values: .names, error: error, startingAt: origin, file: file, line: line)
    }

    /// Records an issue if a testable observable was not subscribed to as marble diagrams show.
    ///
    /// ```swift
    /// scheduler.expect(source, subscribed: "^---!", "-----^--!")
    /// ```
    ///
    /// - Parameters:
    ///   - observable: the observable.
    ///   - marbles: a diagram for each subscription, in their order; none if it must not be subscribed to.
    ///   - origin: the virtual time of the first frame.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    public func expect<Element>(
        _ observable: TestableObservable<Element>, subscribed marbles: String...,
        startingAt origin: TestTime = Defaults.subscribed, file: String = #filePath, line: Int = #line
    ) {
        let difference = IssueLocation(file, line).valid { () throws(MarbleError) in
            try observable.subscriptionDifference(from: marbles, startingAt: origin)
        }
        if let text = difference ?? nil { IssueLocation(file, line).record("not subscribed as expected\n\(text)") }
    }
}
