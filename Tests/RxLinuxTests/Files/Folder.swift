import Foundation
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// A directory for one test, and the changes that a watcher emits of it.
final class Folder: Sendable {
    private let directory = TemporaryDirectory()

    var path: String { directory.path }

    func callAsFunction(_ name: String) -> String { directory(name) }

    func makeDirectory(_ name: String) {
        try? FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
    }

    func write(_ name: String, _ text: String = "x") {
        try? Data(text.utf8).write(to: URL(fileURLWithPath: self(name)), options: [])
    }

    func append(_ name: String, _ text: String) {
        guard let file = fopen(self(name), "a") else { return }
        fputs(text, file)
        fclose(file)
    }

    func rename(_ name: String, _ other: String) { _ = Glibc.rename(self(name), self(other)) }
    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: self(name)) }
    func link(_ name: String, to target: String) { symlink(target, self(name)) }

    /// Its contents, directories with a slash at the end.
    var contents: Set<String> {
        var found: Set<String> = []
        let all = FileManager.default.enumerator(atPath: path)
        while let name = all?.nextObject() as? String {
            let isDirectory = all?.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
            found.insert(isDirectory ? "\(name)/" : name)
        }
        return found
    }

    /// A change as a line: `created a`, `moved b < a`, `synthetic created c/`.
    func line(_ change: FileChange) -> String {
        func short(_ path: BytePath) -> String {
            let text = "\(path)"
            return text.hasPrefix(self.path + "/")
                ? String(text.dropFirst(self.path.count + 1)) : text == self.path ? "." : text
        }
        let synthetic = change.isSynthetic ? "synthetic " : ""
        let from = change.from.map { " < \(short($0))" } ?? ""
        return "\(synthetic)\(change.kind) \(short(change.path))\(change.isDirectory ? "/" : "")\(from)"
    }
}

/// The changes that are emitted while a body runs.
final class Watching: Sendable {
    let folder: Folder
    let watcher: FileWatcher
    private let changes = Cell<[FileChange]>([])
    private let armed = Cell(false)
    private let subscription: any Disposable

    init(
        _ folder: Folder, _ names: [String] = [""], watcher: FileWatcher = FileWatcher(),
        adjust: (inout FileRequest) -> Void = { _ in }
    ) async throws {
        self.folder = folder
        self.watcher = watcher
        var request = FileRequest(names.map { BytePath(folder($0)) }, recursive: true)
        adjust(&request)
        subscription = watcher.changes(request, onArmed: { [armed] in armed.update { $0 = true } })
            .subscribe(onNext: { [changes] in changes.append($0) }, onError: { Issue.record("\($0)") })
        try await eventually("the watcher is armed") { [armed] in armed.value }
    }

    deinit {
        subscription.dispose()
    }

    var all: [FileChange] { changes.value }
    var lines: [String] { all.map(folder.line) }

    /// Waits until these lines have been emitted, and nothing else before the file that ends the test.
    func receives(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await eventually("\(expected) is received, not \(lines)") { self.lines.count >= expected.count }
        folder.write("the-end")
        try await eventually("the end is received: \(lines)") {
            self.lines.contains { $0.hasSuffix("created the-end") }
        }
        let received = Array(lines.prefix { !$0.hasSuffix("the-end") })
        #expect(received == expected, sourceLocation: sourceLocation)
    }
}
