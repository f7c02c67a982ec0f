import Foundation
import Glibc
import RxLinux
import TestSupport
import Testing

struct MemoryLimitTests {
    /// The kernel's files, with `lines` in place of `/proc/self/cgroup`.
    private func limit(_ lines: String, _ files: [String: String]) throws -> Int? {
        let folder = TemporaryDirectory()
        let root = folder.path
        for (path, text) in files.merging(["groups": lines], uniquingKeysWith: { first, _ in first }) {
            let file = URL(fileURLWithPath: "\(root)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        return MemoryLimit.byteCount(groups: "\(root)/groups", root: root)
    }

    private static let unit = "/system.slice/rxwatchd.service"

    @Test func limitOfVersion2IsRead() throws {
        #expect(try limit("0::\(Self.unit)\n", ["\(Self.unit)/memory.max": "536870912\n"]) == 512 << 20)
        // In a namespace of its own.
        #expect(try limit("0::/\n", ["memory.max": "1000000\n"]) == 1_000_000)
        #expect(try limit("0::/a:b\n", ["a:b/memory.max": "7000\n"]) == 7000)
    }

    @Test func limitOfVersion1IsRead() throws {
        let lines = "12:cpu,cpuacct:/a\n4:memory:\(Self.unit)\n1:name=systemd:\(Self.unit)\n0::\(Self.unit)\n"
        let file = "memory\(Self.unit)/memory.limit_in_bytes"
        #expect(try limit(lines, [file: "268435456\n"]) == 256 << 20)
        // Without a limit it shows the largest number of pages.
        #expect(try limit(lines, [file: "9223372036854771712\n"]) == nil)
        // The smallest of several limits applies.
        #expect(try limit(lines, [file: "2000\n", "\(Self.unit)/memory.max": "1000\n"]) == 1000)
    }

    @Test(arguments: [
        ("0::/a\n", "max\n"), ("0::/a\n", ""), ("0::/a\n", "-\n"), ("", "1000\n"), ("garbage\n:::\n", "1000\n"),
        ("0::/b\n", "1000\n"), ("5:cpu:/a\n", "1000\n"),
    ])
    func missingLimitIsNil(lines: String, file: String) throws {
        #expect(try limit(lines, ["a/memory.max": file]) == nil)
    }
}
