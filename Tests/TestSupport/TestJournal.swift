import ChildProcesses
import Foundation

/// A journal for one test, whose files are like those of journald: systemd's own writer for remote records makes them.
package final class TestJournal: Sendable {
    private let folder = TemporaryDirectory()
    package var path: String { folder.path }

    package init() {}

    private struct Failure: Error {
        let status: Int32
    }

    /// Adds entries to a file, each a second after the previous one.
    package func add(_ entries: [[(name: String, value: [UInt8])]], at first: Int, to file: String = "a") throws {
        let input = "\(path)/input-\(UInt32.random(in: 0 ... .max))"
        try Data(entries.enumerated().flatMap { Self.export($1, number: first + $0) })
            .write(to: URL(fileURLWithPath: input))
        defer { unlink(input) }
        let status = try ChildProcess(
            "/lib/systemd/systemd-journal-remote", ["--output=\(path)/\(file).journal", input]
        ).wait()
        if status != 0 { throw Failure(status: status) }
    }

    /// Adds entries with these messages.
    package func add(_ messages: [String], at first: Int = 0, unit: String = "a.service", to file: String = "a") throws
    {
        try add(
            messages.map { [("MESSAGE", Array($0.utf8)), ("_SYSTEMD_UNIT", Array(unit.utf8))] }, at: first, to: file)
    }

    package func remove(_ file: String) {
        unlink("\(path)/\(file).journal")
    }

    private static func export(_ fields: [(name: String, value: [UInt8])], number: Int) -> [UInt8] {
        let head =
            "__REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + number * 1_000_000)\n"
            + "__MONOTONIC_TIMESTAMP=\(1_000_000 + number * 1_000_000)\n_BOOT_ID=0123456789abcdef0123456789abcdef\n"
        var bytes = Array(head.utf8)
        for field in fields {
            bytes += field.name.utf8
            if field.value.isEmpty {
                bytes.append(UInt8(ascii: "="))
            } else {
                bytes.append(0x0A)
                withUnsafeBytes(of: UInt64(field.value.count).littleEndian) { bytes += $0 }
            }
            bytes += field.value
            bytes.append(0x0A)
        }
        return bytes + [0x0A]
    }
}
