import ChildProcesses
import Foundation
import TestSupport
import Testing

/// A run of the built program as a process of its own, with its output.
final class Child: Sendable {
    private let process: ChildProcess
    private let output = Cell("")
    private let errors = Cell("")
    /// `F_SETPIPE_SZ`, which Glibc does not import.
    private static let setPipeSize: Int32 = 1031
    /// How many of its streams have ended.
    private let ended = Cell(0)
    private let status = Cell<Int32?>(nil)
    /// The read end of its standard output, if that stays unread.
    private let unread: Int32?

    /// The use of its standard streams.
    enum Streams {
        /// Both are read.
        case read
        /// Both are read, and it has no standard input.
        case readWithoutInput
        /// Standard output is not read until ``readRest()``: it is full after 4096 bytes.
        case outputUnread
        /// The reader of standard output has closed it.
        case outputGone
        /// The program starts without standard streams.
        case closed
    }

    init(_ arguments: String..., environment: [String] = [], streams: Streams = .read) throws {
        let (outputPipe, errorPipe) = (Self.pipeEnds(), Self.pipeEnds())
        defer { for end in [outputPipe.writing, errorPipe.writing] { close(end) } }
        process = try ChildProcess(
            Self.program, arguments, environment: environment,
            input: streams == .closed || streams == .readWithoutInput ? .closed : .same,
            output: streams == .closed ? .closed : .descriptor(outputPipe.writing),
            errors: streams == .closed ? .closed : .descriptor(errorPipe.writing))
        unread = streams == .outputUnread ? outputPipe.reading : nil
        if let unread { _ = fcntl(unread, Self.setPipeSize, 4096) }
        if streams == .read || streams == .readWithoutInput {
            read(outputPipe.reading, into: output)
        } else {
            if streams != .outputUnread { close(outputPipe.reading) }
            ended.update { $0 += 1 }
        }
        read(errorPipe.reading, into: errors)
        Thread.detachNewThread { [process, status] in
            let code = process.wait()
            status.update { $0 = code }
        }
    }

    deinit {
        if status.value == nil { kill(process.id, SIGKILL) }
        if let unread { close(unread) }
    }

    /// The targets of its open descriptors, by number.
    var descriptors: [Int: String] {
        let folder = "/proc/\(process.id)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: [:]) { descriptors, name in
            guard let number = Int(name) else { return }
            descriptors[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
    }

    /// The lines on standard output so far.
    var outputLines: [String] { lines(output) }
    /// The lines on standard error so far.
    var errorLines: [String] { lines(errors) }

    /// Reads the standard output that has stayed unread, after the end.
    func readRest() {
        guard let unread else { return }
        let data = FileHandle(fileDescriptor: unread, closeOnDealloc: false).readDataToEndOfFile()
        output.update { $0 += String(decoding: data, as: UTF8.self) }
    }

    func send(_ signal: Int32) {
        kill(process.id, signal)
    }

    /// Whether its main thread blocks this signal.
    func blocks(_ signal: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
        return mask.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << UInt64(signal - 1) != 0 } ?? false
    }

    /// Limits its number of descriptors.
    func allow(descriptors: Int) throws {
        let tool = try ChildProcess("/usr/bin/prlimit", ["--pid", "\(process.id)", "--nofile=\(descriptors):"])
        try #require(tool.wait() == 0)
    }

    /// Waits until this many lines on standard error contain `text`.
    func said(_ text: String, times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let problem = "'\(text)' is not said"
        try await eventually("\(problem) after:\n\(lastLines)", within: .seconds(20), sourceLocation: sourceLocation) {
            errorLines.count { $0.contains(text) } >= times
        }
    }

    /// Waits until the program has ended and all of its output is read.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    func exitCode(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int32 {
        try await eventually("it ends, after:\n\(lastLines)", within: .seconds(20), sourceLocation: sourceLocation) {
            status.value != nil && ended.value == 2
        }
        return try #require(status.value, sourceLocation: sourceLocation)
    }

    /// The program is beside the bundle from which the tests run.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rxwatchd").path

    private var lastLines: String {
        errorLines.suffix(10).joined(separator: "\n")
    }

    private func lines(_ text: Cell<String>) -> [String] {
        text.value.split(separator: "\n").map(String.init)
    }

    private func read(_ descriptor: Int32, into text: Cell<String>) {
        Thread.detachNewThread { [ended] in
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            while case let data = handle.availableData, !data.isEmpty {
                text.update { $0 += String(decoding: data, as: UTF8.self) }
            }
            ended.update { $0 += 1 }
        }
    }

    private static func pipeEnds() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        return (ends[0], ends[1])
    }
}

/// A configuration in a file that is deleted with the object.
final class ConfigFile: Sendable {
    private let folder = TemporaryDirectory()
    var path: String { folder("rxwatchd.yaml") }

    init(_ text: String) throws {
        try write(text)
    }

    func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
