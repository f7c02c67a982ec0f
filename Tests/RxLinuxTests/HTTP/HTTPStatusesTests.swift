import RxLinux
import Testing

struct HTTPStatusesTests {
    /// A range has one to all statuses.
    @Test(
        arguments: [
            (["200"], [200], [199, 201], "200"), (["200-200"], [200], [199, 201], "200"),
            (["200-201"], [200, 201], [199, 202], "200-201"), (["100-999"], [100, 999], [99, 1000], "100-999"),
            (["200-299", "404"], [200, 299, 404], [300, 403, 405], "200-299, 404"),
        ] as [([String], [Int], [Int], String)])
    func statusRangesContainTheirBounds(texts: [String], inside: [Int], outside: [Int], description: String) throws {
        let statuses = try #require(HTTPStatuses(texts))
        #expect(inside.allSatisfy { statuses.contains($0) } && !outside.contains { statuses.contains($0) })
        #expect(statuses.description == description)
    }

    @Test(arguments: [
        "201-200", "99", "099", "1000", "99-200", "200-1000", "2xx", "", "-", "200-", "-200", "200-300-400", " 200",
        "+20",
        "２００",
    ])
    func invalidStatusIsRejected(text: String) {
        #expect(HTTPStatuses([text]) == nil && HTTPStatuses(["200", text]) == nil)
    }
}
