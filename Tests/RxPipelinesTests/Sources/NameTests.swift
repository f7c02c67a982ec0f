import ConfigTestSupport
import Foundation
import Glibc
import RxEngine
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Names of files in pipelines: they need not be UTF-8, and two names that only look alike stay two.
@Suite(.balanced) struct NameTests {
    private let folder = TemporaryDirectory()

    /// Creates files with these names in a directory, and waits until the lines that a configuration prints satisfy
    /// `isDone`.
    private func run(_ config: String, names: [[UInt8]], until isDone: @escaping ([String]) -> Bool) async throws
        -> [String]
    {
        mkdir("\(folder.path)/in", 0o700)
        let lines = Cell<[String]>([])
        let isArmed = Cell(false)
        var graph: Graph? = Graph(
            try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(), records: SinkRecords(Cell([])),
            printLine: { line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in isArmed.update { $0 = true } }
        try await eventually("the source is armed") { isArmed.value }
        for name in names {
            let path = BytePath("\(folder.path)/in").appending(BytePath(bytes: name))
            #expect(FileAppender(path, mode: 0o600).append([[]]).written == 1)
        }
        try await eventually("\(lines.value)") { isDone(lines.value) }
        graph?.dispose()
        graph = nil
        return lines.value
    }

    private func contents(_ name: [UInt8]) -> [UInt8]? {
        let path = BytePath(folder.path).appending(BytePath(bytes: name))
        let file = path.bytes.map { CChar(bitPattern: $0) } + [0]
        guard let stream = fopen(file, "r") else { return nil }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, 4096, stream)
        return Array(bytes.prefix(count))
    }

    @Test func namesThatAreNotUTF8AreEscapedInJSONAndReversible() async throws {
        let name: [UInt8] = [0x61, 0xFF, 0x62, 0x80]
        let lines = try await run(
            """
            sources: { s: { files: { paths: \(folder.path)/in, events: created } } }
            pipelines: { p: { from: s, steps: [map: .path], to: [stdout] } }
            """, names: [name], until: { $0.count == 1 })
        #expect(lines == [#""\#(folder.path)/in/a\udbff\udeffb\udbff\ude80""#])
        let text = try #require(try JSON(parsing: Array(lines[0].utf8)).string)
        #expect(BytePath(text: text).bytes == Array("\(folder.path)/in/".utf8) + name)
    }

    @Test func commandsReceiveNamesUnchanged() async throws {
        let name: [UInt8] = [0xC3, 0x28, 0xFF]
        _ = try await run(
            """
            sources: { s: { files: { paths: \(folder.path)/in, events: created } } }
            pipelines:
              p:
                from: s
                to:
                  - command:
                      run: [sh, -c, 'test -f "$1" && printf %s "$1" > \(folder.path)/argument', sh, "{{.path}}"]
                      environment: { NAME: "{{.path}}" }
                  - command:
                      run: [sh, -c, 'printf %s "$NAME" > \(folder.path)/variable']
                      environment: { NAME: "{{.path}}" }
                  - stdout
            """, names: [name],
            until: { _ in
                ["argument", "variable"].allSatisfy { seen in
                    contents(Array(seen.utf8)) == Array("\(folder.path)/in/".utf8) + name
                }
            })
    }

    @Test func fileSinksWriteNamesUnchanged() async throws {
        let names: [[UInt8]] = [[0x61, 0xFF], Array("\u{E9}".utf8), Array("e\u{301}".utf8)]
        _ = try await run(
            """
            sources: { s: { files: { paths: \(folder.path)/in, events: created } } }
            pipelines:
              p:
                from: s
                to:
                  - file: { path: "\(folder.path)/out-{{.path | split(\\"/\\") | last}}", format: "{{.path | split(\\"/\\") | last}}" }
                  - stdout
            """, names: names,
            until: { _ in names.allSatisfy { contents(Array("out-".utf8) + $0) == $0 + [0x0A] } })
    }

    /// They are canonically equivalent, and Swift strings compare as equal.
    @Test func pendingChangesOfEquivalentNamesStayTwo() {
        var pending = PendingValues(FilesSource(request: FileRequest(["/"])).backpressure)
        for path in ["/\u{E9}", "/e\u{301}"] {
            let isMerged = pending.append(SourceValue(["kind": "modified", "path": .string(path)]))
            #expect(!isMerged)
        }
        #expect(pending.count == 2)
    }

    @Test func groupsOfEquivalentNamesHaveSeparateState() {
        let (one, other) = (JSON.string("\u{E9}"), JSON.string("e\u{301}"))
        #expect(one != other && one.asciiText != other.asciiText && one.asciiText == #""\u{e9}""#)
        let object: JSON = .object(JSON.Object(uniqueKeysWithValues: [("\u{E9}", 1), ("e\u{301}", 2)]))
        #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2)
        #expect(Set([one, other]).count == 2)
    }
}
