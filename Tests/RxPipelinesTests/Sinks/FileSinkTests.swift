import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

@Suite(.balanced) struct FileSinkTests {
    private let folder = TemporaryDirectory()

    @Test(arguments: [
        ("", "{\"a\":1}\n\"b\\nc\"\n"),
        (", format: 'is {{.}}'", "is {\"a\":1}\nis b\nc\n"),
        (", format: '{{$event.cause}}'", "tick:0\ntick:1\n"),
    ]) func eventsAreWrittenAsLines(more: String, text: String) async throws {
        let rig = try SinkRig("file: { path: \(folder.path)/a\(more) }")
        try rig.give(["a": 1], "b\nc")
        try await rig.finish()
        #expect(folder.text("a") == text && rig.problems == [])
    }

    @Test(arguments: [("", false), (", records: failures", false), (", records: all", true)])
    func lineHasRecordIfConfigured(more: String, isRecorded: Bool) async throws {
        let rig = try SinkRig("file: { path: '\(folder.path)/{{.}}'\(more) }")
        try rig.give("a", "../b", "c")
        try await rig.finish()
        let done = [
            "tick:0 p: file done: a line appended to \(folder.path)/a",
            "tick:2 p: file done: a line appended to \(folder.path)/c",
        ]
        #expect(rig.done == (isRecorded ? done : []) && rig.problems.count == 1)
    }

    @Test func fileHasConfiguredPermissions() async throws {
        for (mode, expected) in [("", 0o640), (", mode: '0604'", 0o604), (", mode: 600", 0o600)] as [(String, UInt32)] {
            let rig = try SinkRig("file: { path: \(folder.path)/a\(mode) }")
            try rig.give(1)
            try await rig.finish()
            var status = stat()
            #expect(stat("\(folder.path)/a", &status) == 0 && status.st_mode & 0o777 == expected)
            unlink("\(folder.path)/a")
        }
    }

    @Test func pathIsTemplate() async throws {
        let rig = try SinkRig("file: { path: '\(folder.path)/{{.name}}', format: '{{.n}}' }")
        for number in 0..<40 { try rig.give(["name": .string("\(number % 20)"), "n": .number(Double(number))]) }
        try await rig.finish()
        for name in 0..<20 { #expect(folder.text("\(name)") == "\(name)\n\(name + 20)\n") }
        #expect(rig.problems == [] && rig.done == [])
    }

    /// The values of events are not trusted.
    @Test(arguments: ["../x", "a/../../x", "..", "a\0b"]) func eventCannotEscapeDirectory(name: String) async throws {
        let rig = try SinkRig("file: '\(folder.path)/{{.}}'")
        try rig.give("a", .string(name), "a")
        try await rig.finish()
        #expect(rig.problems.count == 1)
        #expect(rig.problems.first?.contains("is refused: a path must not have '..' or a NUL in it") == true)
        #expect(folder.text("a") == "\"a\"\n\"a\"\n")
    }

    @Test func severalSinksShareOneFile() async throws {
        let rigs = try (0..<3).map { _ in try SinkRig("file: \(folder.path)/a") }
        for number in 0..<100 { for rig in rigs { try rig.give(.number(Double(number))) } }
        for rig in rigs { try await rig.finish() }
        let numbers = folder.text("a").split(separator: "\n").compactMap { Int($0) }
        #expect(numbers.sorted() == (0..<100).flatMap { [$0, $0, $0] })
    }

    @Test func rotatedFileIsReopened() async throws {
        let rig = try SinkRig("file: \(folder.path)/a")
        try rig.give(1)
        try await eventually("written") { folder.text("a") == "1\n" }
        rename("\(folder.path)/a", "\(folder.path)/b")
        try rig.give(2)
        try await rig.finish()
        #expect(folder.text("b") == "1\n" && folder.text("a") == "2\n")
    }

    @Test func refusedLinesFailTheirEvents() async throws {
        let path = "\(folder.path)/d"
        let rig = try SinkRig("file: \(path)/a")
        try rig.give(1, 2, 3)
        try await eventually("refused") { rig.sink?.dropped == 3 }
        mkdir(path, 0o700)
        defer {
            unlink("\(path)/a")
            rmdir(path)
        }
        try rig.give(4, 5)
        try await eventually("written") { folder.text("d/a") == "4\n5\n" && rig.sink?.queued == 0 }
        #expect(rig.sink?.dropped == 3)
        unlink("\(path)/a")
        rmdir(path)
        try rig.give(6)
        try await rig.finish()
        let failure = "p: file failed: creating '\(path)/a', whose directory must exist: No such file or directory"
        #expect(
            rig.problems == [
                failure, failure, failure, "p: file works again; 3 lines were dropped", failure,
            ])
        let records = rig.records.value
        #expect(records.map { $0[.cause] } == ["tick:0", "tick:1", "tick:2", nil, "tick:5"])
        #expect(records.map { $0[.value] } == ["1", "2", "3", nil, "6"] && records[3][.dropped] == "3")
        #expect(
            records.first?[.error] == "creating '\(path)/a', whose directory must exist: No such file or directory")
        #expect(records.allSatisfy { $0[.sink] == "file" && $0[.pipeline] == "p" })
    }

    @Test func fullDiskKeepsNoPartialLines() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            func limit(_ size: UInt) {
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                limit.rlim_cur = rlim_t(size)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            }
            let folder = TemporaryDirectory()
            let rig = try SinkRig("file: \(folder.path)/a")
            limit(16)
            try rig.give("123456789", "123456789", "1", "123456789")
            try await eventually("refused") { rig.sink?.dropped == 2 }
            limit(100)
            try rig.give("abc")
            try await rig.finish()
            #expect(folder.text("a") == "\"123456789\"\n\"1\"\n\"abc\"\n")
            #expect(rig.records.value.map(\.priority) == [.err, .notice, .err, .notice])
        }
    }
}
