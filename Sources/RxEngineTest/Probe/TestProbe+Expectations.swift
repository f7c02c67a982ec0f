import RxEngine

extension TestProbe {
    /// Records an issue unless exactly `count` elements were received so far.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectValueCount(_ count: Int, file: String = #filePath, line: Int = #line) -> Self {
        expect(values.count == count, "expected \(count) values", file, line)
    }

    /// Records an issue if an element was received so far.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectNoValues(file: String = #filePath, line: Int = #line) -> Self {
        expect(values.isEmpty, "expected no values", file, line)
    }

    /// Records an issue unless the elements so far satisfy a condition.
    ///
    /// - Parameters:
    ///   - reason: what is expected, for the issue.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    ///   - condition: receives the elements; it is called once, inside this call.
    /// - Returns: the probe.
    @discardableResult
    public func expectValues(
        _ reason: String = "expected other values", file: String = #filePath, line: Int = #line,
        where condition: ([Element]) -> Bool
    ) -> Self {
        expect(condition(values), reason, file, line)
    }

    /// Records an issue unless the sequence has completed.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectCompletion(file: String = #filePath, line: Int = #line) -> Self {
        expect(isCompleted, "expected completion", file, line)
    }

    /// Records an issue unless the sequence has failed.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectError(file: String = #filePath, line: Int = #line) -> Self {
        expect(error != nil, "expected an error", file, line)
    }

    /// Records an issue unless the sequence has failed with an error of this type.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectError<Failure: Error>(
        of type: Failure.Type, file: String = #filePath, line: Int = #line
    ) -> Self {
        expect(error is Failure, "expected an error of the type \(type)", file, line)
    }

    /// Records an issue unless the sequence has failed with this error. Errors are equal if their descriptions are.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectError(
        _ expected: any Error, file: String = #filePath, line: Int = #line
    ) -> Self {
        expect(error.map { "\($0)" } == "\(expected)", "expected the error \(expected)", file, line)
    }

    /// Records an issue if the sequence has completed or failed.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectNoEnd(file: String = #filePath, line: Int = #line) -> Self {
        expect(!isCompleted && error == nil, "expected no end", file, line)
    }

    func expect(_ holds: Bool, _ problem: String, _ file: String, _ line: Int) -> Self {
        if !holds {
            let received = events.map { "\($0)" }.joined(separator: ", ")
            IssueLocation(file, line).record("\(problem), received \(received.isEmpty ? "nothing" : received)")
        }
        return self
    }
}

extension TestProbe where Element: Equatable {
    /// Records an issue unless exactly these elements were received so far, in this order.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectValues(_ expected: [Element], file: String = #filePath, line: Int = #line) -> Self {
        expect(values == expected, "expected the values \(expected)", file, line)
    }

    /// Records an issue unless the latest element is this one.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectLastValue(_ expected: Element, file: String = #filePath, line: Int = #line) -> Self {
        expect(values.last == expected, "expected the last value \(expected)", file, line)
    }

    /// Records an issue unless exactly these events were received so far. Errors are equal if their descriptions are.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectEvents(_ expected: [Event<Element>], file: String = #filePath, line: Int = #line) -> Self {
        expect(events == expected, "expected the events \(expected)", file, line)
    }
}
