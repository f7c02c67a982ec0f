import Dispatch
import Glibc
import RxEngine

/// Lines that somebody writes, as sequences.
///
/// Lines are told on the queue given, or on one of the subscription's own, one after the other: while an observer is
/// busy nothing is read, so that what the kernel keeps for a pipe or a socket fills up and its writer waits. No line
/// is dropped, and no more of one is held in memory than may be of its length.
public enum Lines {
    /// How long a line may be where nothing else is said.
    public static let defaultLimit = 64 * 1024

    /// The lines that are read from a descriptor: a pipe, a socket, a terminal, a file.
    ///
    ///     of(3)       a--b----c|
    ///
    /// Each subscription reads through a duplicate that it closes; the descriptor stays its owner's, with its flags as
    /// they are. Completes at the end; an error is a ``SystemError``.
    ///
    /// - Parameter limit: how many bytes of a line are kept; the rest is dropped and the line says so.
    public static func of(
        _ descriptor: Int32, limit: Int = defaultLimit, on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in run.read(from: try Descriptor.duplicate(descriptor)) }
    }

    /// What becomes of the lines of a FIFO whose last writer has gone.
    public enum Reopening: Sendable, Hashable {
        /// They go on with the next writer.
        case always
        /// They are at their end.
        case never
    }

    /// The lines that are written to the FIFO at `path`, by one writer after the other or by several at once.
    ///
    /// A line that its last writer leaves without a newline is told when he has gone, and is partial. Where no FIFO is
    /// at `path` the sequence fails with a ``SystemError``.
    public static func fifo(
        _ path: String, reopening: Reopening = .always, limit: Int = defaultLimit,
        on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in
            let again: LineRun.Reopen = { () throws(SystemError) -> Int32 in try openFIFO(path).release() }
            run.read(from: try openFIFO(path), reopen: reopening == .always ? again : nil)
        }
    }

    /// The lines that come from a unix stream socket at `path` once connected to it. Completes when the other side
    /// closes; an error is a ``SystemError``. Connecting again is `retry`'s and `repeat`'s business.
    public static func socket(
        _ path: String, limit: Int = defaultLimit, on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in
            run.connect(to: [try SocketAddress(unix: path)], "connecting to '\(path)'")
        }
    }

    /// The lines that come from `host` once connected to its TCP port, whose addresses are tried in order.
    ///
    /// Looking the name up keeps `queue` busy for as long as that takes. Completes when the other side closes; an error
    /// is a ``SystemError`` or an ``AddressError``.
    public static func tcp(
        _ host: String, port: UInt16, limit: Int = defaultLimit,
        on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in
            run.connect(to: try SocketAddress.resolve(host, port: port), "connecting to \(host) port \(port)")
        }
    }

    private static func make(
        _ limit: Int, _ queue: DispatchQueue, _ start: @escaping @Sendable (LineRun) throws -> Void
    ) -> Observable<Line> {
        .create { observer in
            let run = LineRun(observer, limit: limit, on: queue)
            queue.async {
                do {
                    if !run.isDisposed { try start(run) }
                } catch {
                    run.fail(error)
                }
            }
            return run
        }
    }

    private static func openFIFO(_ path: String) throws(SystemError) -> Descriptor {
        let fifo = try Descriptor(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), "opening the FIFO '\(path)'")
        var status = stat()
        guard fstat(fifo.number, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            throw SystemError(EINVAL, "opening '\(path)', which is no FIFO (mkfifo makes one)")
        }
        return fifo
    }
}
