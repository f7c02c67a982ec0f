import RxEngine
import RxEngineTest
import XCTest

/// Asserts that two arrays of events are equal. Errors are equal if their descriptions are.
public func XCTAssertEqual<Element: Equatable>(
    _ actual: [Event<Element>], _ expected: [Event<Element>], file: StaticString = #filePath, line: UInt = #line
) {
    assertEqual(actual, expected, file, line)
}

/// Asserts that two arrays of events of singles are equal. Errors are equal if their descriptions are.
public func XCTAssertEqual<Element: Equatable>(
    _ actual: [SingleEvent<Element>], _ expected: [SingleEvent<Element>],
    file: StaticString = #filePath, line: UInt = #line
) {
    func comparable(_ events: [SingleEvent<Element>]) -> [MaybeEvent<Element>] {
        events.map {
            switch $0 {
            case .success(let element): .success(element)
            case .failure(let error): .error(error)
            }
        }
    }
    assertEqual(comparable(actual), comparable(expected), file, line)
}

/// Asserts that two arrays of events of maybes are equal. Errors are equal if their descriptions are.
public func XCTAssertEqual<Element: Equatable>(
    _ actual: [MaybeEvent<Element>], _ expected: [MaybeEvent<Element>],
    file: StaticString = #filePath, line: UInt = #line
) {
    assertEqual(actual, expected, file, line)
}

/// Asserts that two arrays of events of completables are equal. Errors are equal if their descriptions are.
public func XCTAssertEqual(
    _ actual: [CompletableEvent], _ expected: [CompletableEvent], file: StaticString = #filePath, line: UInt = #line
) {
    assertEqual(actual, expected, file, line)
}

/// Asserts that two arrays of recorded events are equal, including their times.
public func XCTAssertEqual<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ expected: [Recorded<Event<Element>>],
    file: StaticString = #filePath, line: UInt = #line
) {
    assertEqual(actual, expected, file, line)
}

/// Asserts that two arrays of recorded events with optional elements are equal, including their times.
public func XCTAssertEqual<Element: Equatable>(
    _ actual: [Recorded<Event<Element?>>], _ expected: [Recorded<Event<Element?>>],
    file: StaticString = #filePath, line: UInt = #line
) {
    assertEqual(actual, expected, file, line)
}

/// Asserts that an array of recorded events consists of these elements, at any time, and has no terminal event.
public func XCTAssertRecordedElements<Element: Equatable>(
    _ stream: [Recorded<Event<Element>>], _ elements: [Element],
    file: StaticString = #filePath, line: UInt = #line
) {
    assertEqual(stream.map(\.value), elements.map(Event.next), file, line)
}

private func assertEqual<Value: Equatable>(
    _ actual: [Value], _ expected: [Value], _ file: StaticString, _ line: UInt
) {
    if actual != expected {
        XCTFail("not as expected\n\(differences(between: actual, and: expected))", file: file, line: line)
    }
}

/// The lines of a comparison: `-` marks a missing value, `+` an unexpected one, a space one that matches.
func differences<Value: Equatable>(between actual: [Value], and expected: [Value]) -> String {
    let difference = actual.difference(from: expected)
    let missing = Set(difference.removals.map(\.offset))
    let surplus = Set(difference.insertions.map(\.offset))
    var lines: [String] = []
    var (next, nextExpected) = (0, 0)
    while next < actual.count || nextExpected < expected.count {
        if missing.contains(nextExpected) {
            lines.append("- \(expected[nextExpected])")
            nextExpected += 1
        } else if surplus.contains(next) {
            lines.append("+ \(actual[next])")
            next += 1
        } else {
            lines.append("  \(actual[next])")
            (next, nextExpected) = (next + 1, nextExpected + 1)
        }
    }
    return lines.joined(separator: "\n")
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
