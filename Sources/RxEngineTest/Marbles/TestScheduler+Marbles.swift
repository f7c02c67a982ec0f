import RxEngine
import RxMarbles

extension TestScheduler {
    /// Makes a cold observable from a marble diagram, whose frames are counted from each subscription.
    ///
    /// ```swift
    /// let source = scheduler.createColdObservable(marbles: "-a-b-|", values: ["a": 10, "b": 20])
    /// ```
    ///
    /// The thread that runs the scheduler delivers the events. A diagram that is not valid is recorded as an issue; the
    /// observable emits nothing then.
    ///
    /// - Parameters:
    ///   - marbles: the diagram. A frame is one unit of virtual time.
    ///   - values: what the characters stand for; default: strings of themselves.
    ///   - error: the error that `#` stands for.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    public func createColdObservable<Element>(
        marbles: String, values: MarbleValues<Element> = MarbleValues<String>.names,
        error: any Error = MarbleFailure(), file: String = #filePath, line: Int = #line
    ) -> TestableObservable<Element> {
        let script = IssueLocation(file, line).valid { () throws(MarbleError) in
            let script = try MarbleScript(marbles, values, error, from: 0, frame)
            guard script.diagram.start < 0 else { return script }
            throw MarbleError(
                column: 1, problem: "a cold observable has no frames before its subscription: begin with '^'")
        }
        return createColdObservable(script?.events ?? [])
    }

    /// Makes a cold observable from a marble diagram, as ``createColdObservable(marbles:values:error:file:line:)``.
    ///
    /// ```swift
    /// scheduler.expect("-A-B-|") { scheduler.marble("-a-b-|").map { $0.uppercased() } }
    /// ```
    ///
    /// The thread that runs the scheduler delivers the events.
    public func marble<Element>(
        _ marbles: String, values: MarbleValues<Element> = MarbleValues<String>.names,
        error: any Error = MarbleFailure(), file: String = #filePath, line: Int = #line
    ) -> TestableObservable<Element> {
        createColdObservable(marbles: marbles, values: values, error: error, file: file, line: line)
    }

    /// Makes a hot observable from a marble diagram, whose frames are absolute times.
    ///
    /// ```swift
    /// let source = scheduler.createHotObservable(marbles: "-a-^-b-|")
    /// ```
    ///
    /// The thread that runs the scheduler delivers the events. `start` subscribes after the events of frame 0, which its
    /// observer does not receive. A diagram that is not valid is recorded as an issue; the observable emits nothing then.
    ///
    /// - Parameters:
    ///   - marbles: the diagram. A frame is one unit of virtual time.
    ///   - values: what the characters stand for; default: strings of themselves.
    ///   - error: the error that `#` stands for.
    ///   - origin: the virtual time of frame 0, which `^` marks, or otherwise the beginning.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    public func createHotObservable<Element>(
        marbles: String, values: MarbleValues<Element> = MarbleValues<String>.names,
        error: any Error = MarbleFailure(), startingAt origin: TestTime = Defaults.subscribed,
        file: String = #filePath, line: Int = #line
    ) -> TestableObservable<Element> {
        let script = IssueLocation(file, line).valid { () throws(MarbleError) in
            try MarbleScript(marbles, values, error, from: origin, frame)
        }
        return createHotObservable(script?.events ?? [])
    }
}
