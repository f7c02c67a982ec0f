import RxMarbles

#if canImport(Testing)
internal import Testing
#endif

/// Where failures are recorded, and whether there is a test that they belong to.
struct IssueLocation: Sendable {
    private let file: String
    private let line: Int
    /// Whether a test of Swift Testing runs. Another thread than the test's own cannot know, so that a value which is used
    /// there is made before.
    private let isInTest: Bool

    init(_ file: String, _ line: Int) {
        self.file = file
        self.line = line
        #if canImport(Testing)
        isInTest = Test.current != nil
        #else
        isInTest = false
        #endif
    }

    /// Records an issue of the running test.
    ///
    /// Without a test, as in XCTest and in programs, nobody would see the issue, so this traps.
    func record(_ message: String) {
        guard isInTest else { fatalError("\(file):\(line): \(message)") }
        #if canImport(Testing)
        // The form that the compiler gives `#fileID`: the module and the name of the file.
        let path = file.split(separator: "/")
        let folder = path.dropLast().lastIndex { $0 == "Tests" || $0 == "Sources" }
        let module = folder.flatMap { $0 + 2 < path.count ? path[$0 + 1] : nil } ?? "Tests"
        let location = SourceLocation(
            fileID: "\(module)/\(path.last ?? "Tests.swift")", filePath: file, line: max(1, line), column: 1)
        Issue.record(Comment(rawValue: message), sourceLocation: location)
        #endif
    }

    /// Records an issue if a diagram is not valid, and returns `nil` then.
    func valid<Value>(_ read: () throws(MarbleError) -> Value) -> Value? {
        do throws(MarbleError) {
            return try read()
        } catch {
            record("\(error)")
            return nil
        }
    }
}
