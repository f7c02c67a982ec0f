import Dispatch
import Glibc
import RxEngine

/// Lines of pipes, FIFOs, sockets and files, as observables.
///
/// Lines are emitted on the given queue, by default one of the subscription's own, one after the other. While an
/// observer is busy nothing is read, so that the kernel's buffer of the pipe or socket fills up and its writer waits.
/// No line is dropped, and at most `limit` bytes of one are held in memory.
public enum LineReader {
    /// The default limit on the bytes of a line: 64 KiB.
    public static let defaultLimit = 64 * 1024

    /// Emits the lines of a descriptor: a pipe, a socket, a terminal or a file.
    ///
    ///     of(3)       a--b----c|
    ///
    /// Each subscription reads through a duplicate of the descriptor and closes it. The descriptor itself stays open,
    /// with its flags unchanged. The sequence completes at the end of the input, and fails with a ``SystemError``.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor to read.
    ///   - limit: the most bytes of a line to keep; the rest is dropped, and ``Line/isTruncated`` is set.
    ///   - queue: the serial queue that reads and emits.
    public static func of(
        _ descriptor: Int32, limit: Int = defaultLimit, on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in run.read(from: try Descriptor.duplicate(descriptor)) }
    }

    /// The behavior when the last writer of a FIFO has closed it.
    public enum ReopenPolicy: Sendable, Hashable {
        /// Continues with the next writer.
        case always
        /// Completes.
        case never
    }

    /// Emits the lines that are written to the FIFO at `path`, by successive or simultaneous writers.
    ///
    /// If the last writer closes the FIFO in the middle of a line, that line is emitted as a partial one. The sequence
    /// fails with a ``SystemError`` if there is no FIFO at `path`.
    ///
    /// - Parameters:
    ///   - path: the path of the FIFO.
    ///   - reopening: whether the sequence completes when the last writer has closed the FIFO.
    ///   - limit: the most bytes of a line to keep; the rest is dropped, and ``Line/isTruncated`` is set.
    ///   - queue: the serial queue that reads and emits.
    public static func fifo(
        _ path: String, reopening: ReopenPolicy = .always, limit: Int = defaultLimit,
        on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in
            let again: LineRun.Reopen = { () throws(SystemError) -> Int32 in try openFIFO(path).release() }
            run.read(from: try openFIFO(path), reopen: reopening == .always ? again : nil)
        }
    }

    /// Connects to the unix stream socket at `path` and emits the lines that it sends.
    ///
    /// The sequence completes when the other side closes, and fails with a ``SystemError``. Use `retry` or `repeat` to
    /// connect again.
    ///
    /// - Parameters:
    ///   - path: the path of the socket; `@` as the first character stands for the abstract namespace.
    ///   - limit: the most bytes of a line to keep; the rest is dropped, and ``Line/isTruncated`` is set.
    ///   - queue: the serial queue that reads and emits.
    public static func socket(
        _ path: String, limit: Int = defaultLimit, on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in
            run.connect(to: [try SocketAddress(unix: path)], "connecting to '\(path)'")
        }
    }

    /// Connects to a TCP port of `host`, trying its addresses in order, and emits the lines that it sends.
    ///
    /// The lookup of the name blocks `queue`. The sequence completes when the other side closes, and fails with a
    /// ``SystemError`` or an ``AddressError``.
    ///
    /// - Parameters:
    ///   - host: the name or address of the host.
    ///   - port: the TCP port.
    ///   - limit: the most bytes of a line to keep; the rest is dropped, and ``Line/isTruncated`` is set.
    ///   - queue: the serial queue that reads and emits.
    public static func tcp(
        _ host: String, port: UInt16, limit: Int = defaultLimit,
        on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in
            run.connect(to: try SocketAddress.resolve(host, port: port), "connecting to \(host) port \(port)")
        }
    }

    /// Sends a line to the ``LocalServer`` at `path`, and emits the lines that it sends.
    ///
    /// The sequence completes when the server closes the connection, and fails with a ``SystemError``.
    ///
    /// - Parameters:
    ///   - request: the line to send, without its end.
    ///   - path: the path of the server's socket.
    ///   - deadline: the longest wait for the connection, and for sending the line.
    ///   - limit: the most bytes of a line to keep.
    ///   - queue: the serial queue that reads and emits.
    public static func answers(
        to request: [UInt8], at path: String, within deadline: Duration, limit: Int = defaultLimit,
        on queue: DispatchQueue = DispatchQueue(label: "rx.lines")
    ) -> Observable<Line> {
        make(limit, queue) { run in run.read(from: try LocalCall.send(request, to: path, until: .now + deadline)) }
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
            throw SystemError(EINVAL, "opening '\(path)', which is not a FIFO (mkfifo makes one)")
        }
        return fifo
    }
}
