import RxEngine
import RxEngineTest
import RxEngineXCTest
import TestSupport
import XCTest

/// The assertions themselves can fail only inside a test case of XCTest.
final class AssertionsTests: XCTestCase {
    /// The failures that the assertions have reported; `nil` while failures are not collected.
    private var failures: [String]?

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        guard failures != nil else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected
            )
        }
        failures?.append(description)
    }

    /// The failures that `assertion` reports.
    private func failures(_ assertion: () -> Void) -> [String] {
        failures = []
        assertion()
        defer { failures = nil }
        return failures ?? []
    }

    func testEqualListsPass() {
        XCTAssertEqual(
            [Event.next(1), .error(TestError("a")), .completed], [.next(1), .error(TestError("a")), .completed])
        XCTAssertEqual(
            [SingleEvent<Int>.success(1), .failure(TestError("a"))], [.success(1), .failure(TestError("a"))]
        )
        XCTAssertEqual([MaybeEvent<Int>.success(1), .completed], [.success(1), .completed])
        XCTAssertEqual([CompletableEvent.completed, .error(TestError("a"))], [.completed, .error(TestError("a"))])
        XCTAssertEqual([Recorded.next(210, 1), .completed(220)], [.next(210, 1), .completed(220)])
        let optionals: [Recorded<Event<Int?>>] = [.next(210, nil), .next(220, 1)]
        XCTAssertEqual(optionals, [.next(210, nil), .next(220, 1)])
        XCTAssertRecordedElements([.next(210, 1), .next(220, 2)], [1, 2])
    }

    func testDifferentListsFailWithDifference() {
        let table: [(String, [String])] = [
            (
                "  next(1) @ 210\n- next(2) @ 220\n+ next(3) @ 220\n  completed @ 230",
                failures {
                    XCTAssertEqual(
                        [Recorded.next(210, 1), .next(220, 3), .completed(230)],
                        [.next(210, 1), .next(220, 2), .completed(230)]
                    )
                }
            ),
            ("- next(1)", failures { XCTAssertEqual([Event<Int>](), [.next(1)]) }),
            (
                "- error(a)\n+ error(b)",
                failures {
                    XCTAssertEqual([SingleEvent<Int>.failure(TestError("b"))], [.failure(TestError("a"))])
                }
            ),
            ("+ completed", failures { XCTAssertEqual([MaybeEvent<Int>.completed], []) }),
            (
                "- completed\n+ error(a)",
                failures { XCTAssertEqual([CompletableEvent.error(TestError("a"))], [.completed]) }
            ),
            (
                "- next(nil) @ 210\n+ next(Optional(1)) @ 210",
                failures {
                    let record: [Recorded<Event<Int?>>] = [.next(210, 1)]
                    XCTAssertEqual(record, [.next(210, nil)])
                }
            ),
            (
                "  next(1)\n+ completed",
                failures { XCTAssertRecordedElements([.next(210, 1), .completed(220)], [1]) }
            ),
        ]
        for (difference, failures) in table {
            XCTAssert(failures.count == 1 && failures[0].hasSuffix(difference), "\(failures) for \(difference)")
        }
    }
}
