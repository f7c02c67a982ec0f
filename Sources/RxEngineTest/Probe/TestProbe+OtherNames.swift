import RxEngine

/// The name that other Rx libraries have for a ``TestProbe``.
public typealias TestObserver<Element> = TestProbe<Element>

// The names that other Rx libraries have for expectations.
extension TestProbe {
    /// Records an issue if the sequence has completed. It may have failed.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func assertNotComplete(file: String = #filePath, line: Int = #line) -> Self {
        expect(!isCompleted, "expected no completion", file, line)
    }
}

extension TestProbe where Element: Equatable {
    /// Records an issue unless exactly these elements were received so far.
    ///
    /// It is the same as ``expectValues(_:file:line:)``.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func assertValues(_ expected: Element..., file: String = #filePath, line: Int = #line) -> Self {
        expectValues(expected, file: file, line: line)
    }

    /// Records an issue unless exactly these elements were received, and then completion.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func assertResult(_ expected: Element..., file: String = #filePath, line: Int = #line) -> Self {
        expectEvents(expected.map { .next($0) } + [.completed], file: file, line: line)
    }
}
