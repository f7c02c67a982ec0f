import RxEngine

extension TestProbe {
    /// Calls `action`, which makes events arrive: it emits, or advances the clock of a scheduler.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func then(_ action: () throws -> Void) rethrows -> Self {
        try action()
        return self
    }

    /// Records an issue if an element was received that no ``expectNext(_:file:line:)`` has expected.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectNoMoreValues(file: String = #filePath, line: Int = #line) -> Self {
        let rest = record.takeNext(.max)
        return expect(rest.isEmpty, "expected no more values than before \(rest)", file, line)
    }

    /// Waits until `count` elements have arrived or the sequence has ended, and records an issue if there are fewer.
    ///
    /// Other threads and tasks emit them. The task does not block a thread while it waits, and may run on another one
    /// afterwards, which must not use a scheduler in virtual time of the one before.
    ///
    /// - Parameters:
    ///   - count: the number of elements.
    ///   - deadline: the longest time to wait.
    ///   - file: the file in which an issue is recorded.
    ///   - line: the line in which an issue is recorded.
    /// - Returns: the probe.
    @discardableResult
    public func awaitCount(
        _ count: Int, within deadline: Duration = .seconds(10), file: String = #filePath, line: Int = #line
    ) async -> Self {
        await record.waitForElements(count, within: deadline)
        return expect(values.count >= count, "expected \(count) values within \(deadline)", file, line)
    }
}

extension TestProbe where Element: Equatable {
    /// Records an issue unless these are the next elements, behind those that earlier calls have expected.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectNext(_ expected: Element..., file: String = #filePath, line: Int = #line) -> Self {
        expect(record.takeNext(expected.count) == expected, "expected the next values \(expected)", file, line)
    }
}
