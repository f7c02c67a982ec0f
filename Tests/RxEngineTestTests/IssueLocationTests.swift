import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct IssueLocationTests {
    @Test func issueNamesModuleFileAndLine() throws {
        let log = Cell<[SourceLocation]>([])
        let line = #line + 2
        withKnownIssue {
            Observable.just(1).test().expectNoValues()
        } matching: { issue in
            if let location = issue.sourceLocation { log.append(location) }
            return true
        }
        let location = try #require(log.value.first)
        #expect(location.fileID == #fileID)
        #expect(location.fileName == "IssueLocationTests.swift")
        #expect(location.line == line)
    }

    @Test func failureWithoutTestTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await withCheckedContinuation { continuation in
                // This thread belongs to no test.
                DispatchQueue.global().async {
                    Observable.just(1).test().expectValues([2])
                    continuation.resume()
                }
            }
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("IssueLocationTests.swift:"))
        #expect(output.contains(": expected the values [2], received next(1), completed"))
    }
}
