import Dispatch
import Glibc

// Unchecked: what changes is touched on the queue alone.
/// Writes lines to the end of a file, each whole or not at all.
///
/// ```swift
/// let events = FileAppender("/var/lib/app/events.jsonl", mode: 0o640)
/// try events.append(Array("{\"started\":true}".utf8))
/// ```
///
/// - The file is opened with the first line, and made where it is missing; its directory is not.
/// - Lines that are appended together are one write at the file's end, so that lines of several programs do not mix.
///   After a partial write the rest is written too, or the partial line is removed. Whoever else appends with a value
///   of this type, in this process or another, waits for that; the lock is `flock(2)`'s. A lock that another program
///   holds for some seconds fails the lines.
/// - Where another file has taken the path, as when logs are rotated, the next line goes there; where none has, a new
///   file is made.
/// - Where the file ends in the middle of a line that somebody else left, the next line begins on a line of its own.
///
/// Nothing is synced to the disk.
public final class FileAppender: @unchecked Sendable {
    /// The path.
    public let path: String
    private let mode: UInt32
    private let queue = DispatchQueue(label: "rx.append")
    private var file: AppendedFile?

    /// Nothing is touched yet.
    ///
    /// - Parameter mode: the permissions that the file gets where it is made, whatever the process's mask.
    public init(_ path: String, mode: UInt32 = 0o640) {
        self.path = path
        self.mode = mode
    }

    /// Appends `line` and a line end, and returns when the system has them.
    ///
    /// Errors are ``SystemError``: then nothing of the line is in the file, and the next may be written all the same.
    public func append(_ line: [UInt8]) throws(SystemError) {
        if let failure = append(CollectionOfOne(line)).failure { throw failure }
    }

    /// Appends lines, each with a line end, in one write, and returns when the system has them.
    ///
    /// - Parameters:
    ///   - isCancelled: whether nothing may be written any more, which fails the lines with `ECANCELED`.
    ///   - willWrite: called before the write, with the place of the first line. Nobody else who appends with a value
    ///     of this type writes meanwhile.
    /// - Returns: how many are in the file, the first ones, and why it is not all of them. Of the others nothing is in
    ///   it.
    public func append(
        _ lines: some Collection<[UInt8]>, unless isCancelled: () -> Bool = { false },
        willWrite: (AppendPlace) -> Void = { _ in }
    ) -> (written: Int, failure: SystemError?) {
        queue.sync {
            do throws(SystemError) {
                return try file(at: path).append(lines, unless: isCancelled, willWrite: willWrite)
            } catch {
                return (0, error)
            }
        }
    }

    private func file(at path: String) throws(SystemError) -> AppendedFile {
        if let file, file.isAt(path) { return file }
        file = nil
        let new = try AppendedFile(path, mode: mode)
        file = new
        return new
    }
}
