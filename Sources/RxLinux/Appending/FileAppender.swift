import Dispatch
import Glibc

// Unchecked: the mutable state is used only on the queue.
/// Appends lines to a file, each completely or not at all.
///
/// ```swift
/// let events = FileAppender("/var/lib/app/events.jsonl", mode: 0o640)
/// try events.append(Array("{\"started\":true}".utf8))
/// ```
///
/// - The first line opens the file, and creates it if it is missing. A missing directory is not created.
/// - Lines that are appended together are one write at the file's end, so that lines of several programs do not mix.
///   After a partial write the rest is written, too, or the partial line is removed. Other appenders, in this process
///   or another, wait meanwhile for the lock, which is that of `flock(2)`. If another program holds the lock for some
///   seconds, appending fails.
/// - If the path leads to another file by now, as after log rotation, the next line goes there; if it leads to no file,
///   a new one is created.
/// - If the file ends with an incomplete line of another program, the next line starts on a line of its own.
///
/// Lines are not synced to the disk.
public final class FileAppender: @unchecked Sendable {
    /// The file's path.
    public let path: BytePath
    private let mode: UInt32
    private let queue = DispatchQueue(label: "rx.append")
    private var file: AppendedFile?

    /// Creates an appender, without opening the file yet.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - mode: the permissions of a newly created file, regardless of the process's umask.
    public init(_ path: BytePath, mode: UInt32 = 0o640) {
        self.path = path
        self.mode = mode
    }

    /// Creates an appender for a path in UTF-8, without opening the file yet.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - mode: the permissions of a newly created file, regardless of the process's umask.
    public convenience init(_ path: String, mode: UInt32 = 0o640) {
        self.init(BytePath(path), mode: mode)
    }

    /// Appends `line` and a line end, and returns when the system has accepted them.
    ///
    /// - Parameter line: the bytes of the line, without its line end.
    /// - Throws: the error if no part of the line is in the file. Later lines may succeed nevertheless.
    public func append(_ line: [UInt8]) throws(SystemError) {
        if let failure = append(CollectionOfOne(line)).failure { throw failure }
    }

    /// Appends lines, each with a line end, in one write, and returns when the system has accepted them.
    ///
    /// - Parameters:
    ///   - lines: the lines, without line ends.
    ///   - isCancelled: whether to write nothing any more, which fails the lines with `ECANCELED`.
    ///   - willWrite: called before the write, with the position of the first line. No other appender writes meanwhile.
    /// - Returns: the number of first lines that are in the file, and the error if these are not all. No part of the
    ///   other lines is in the file.
    public func append(
        _ lines: some Collection<[UInt8]>, unless isCancelled: () -> Bool = { false },
        willWrite: (AppendPosition) -> Void = { _ in }
    ) -> (written: Int, failure: SystemError?) {
        queue.sync {
            BlockingCalls.during("appending to '\(path)'") {
                do throws(SystemError) {
                    return try file(at: path).append(lines, unless: isCancelled, willWrite: willWrite)
                } catch {
                    return (0, error)
                }
            }
        }
    }

    private func file(at path: BytePath) throws(SystemError) -> AppendedFile {
        if let file, file.isAt(path) { return file }
        file = nil
        let new = try AppendedFile(path, mode: mode)
        file = new
        return new
    }
}
