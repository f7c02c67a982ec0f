import CLinux
import Dispatch
import Glibc
import RxEngine

/// Programs of this machine that ask something over a unix socket: a line each, which gets one answer.
public enum LocalServer {
    /// What is asked at the socket at `path`, told on `queue`, for as long as somebody is subscribed.
    ///
    /// A socket that a process which has died left behind is replaced; one that somebody answers at is not. The last
    /// subscription's end removes it. Who asks nothing within ten seconds, or more than 64 KiB, is hung up on, and
    /// beyond 32 at a time the next wait for their turn.
    ///
    /// Ends with a ``SystemError`` where the socket cannot be made.
    ///
    /// - Parameters:
    ///   - path: where the socket is.
    ///   - mode: who may connect, as a file's permissions. Whom to answer is another question: see ``LocalRequest/peer``.
    public static func requests(
        at path: String, mode: mode_t = 0o666, on queue: DispatchQueue
    ) -> Observable<LocalRequest> {
        .create { observer in
            do {
                let listener = try listen(at: path, mode)
                let acceptor = Acceptor(observer, queue)
                let door = DispatchQueue(label: "rx.door")
                let waiting = ReadableDescriptor(listener, on: door) { acceptor.accept(from: listener) }
                return Disposables.create(waiting, Disposables.create { unlink(path) })
            } catch {
                observer.onError(error)
                return Disposables.create()
            }
        }
    }

    private static func listen(at path: String, _ mode: mode_t) throws(SystemError) -> Int32 {
        let doing = "listening at \(path)"
        let address = try SocketAddress(unix: path)
        if isAnswered(address) { throw SystemError(EADDRINUSE, doing) }
        unlink(path)
        let flags = rx_socket_nonblock | rx_socket_cloexec
        let socket = try Descriptor(Glibc.socket(AF_UNIX, rx_socket_stream | flags, 0), doing)
        guard address.bind(socket.number) == 0, chmod(path, mode) == 0, Glibc.listen(socket.number, SOMAXCONN) == 0
        else {
            throw SystemError.last(doing)
        }
        return socket.release()
    }

    private static func isAnswered(_ address: SocketAddress) -> Bool {
        let doing = "asking who listens"
        do throws(SystemError) {
            let socket = try address.beginConnecting(doing)
            try SocketAddress.finishConnecting(socket.number, doing)
            return true
        } catch {
            // Whoever has more callers than he can let in is there.
            return error.number == EAGAIN
        }
    }
}

/// Takes calls, and hears each caller out on a thread of its own: there are few, and none is trusted to be quick.
private final class Acceptor: Sendable {
    private static let patience = timeval(tv_sec: 10, tv_usec: 0)
    private static let maximumLength = 64 * 1024

    private let observer: AnyObserver<LocalRequest>
    private let queue: DispatchQueue
    private let places = DispatchSemaphore(value: 32)

    init(_ observer: AnyObserver<LocalRequest>, _ queue: DispatchQueue) {
        self.observer = observer
        self.queue = queue
    }

    func accept(from listener: Int32) {
        // Where all places are taken, the next waits outside.
        places.wait()
        let caller = accept4(listener, nil, nil, rx_socket_cloexec)
        guard caller >= 0 else {
            places.signal()
            // Whoever waits is there at once again: until there is room, it is worth no more than a look now and then.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { poll(nil, 0, 100) }
            return
        }
        // A concurrent queue would have Dispatch look at its threads, and end the process where it cannot.
        DispatchQueue(label: "rx.caller").async { self.hear(caller) }
    }

    private func hear(_ caller: Int32) {
        defer { places.signal() }
        let caller = Descriptor(owning: caller)
        var patience = Self.patience
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(caller.number, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        guard let peer = LocalRequest.Peer(of: caller.number), let text = line(from: caller.number) else { return }
        let request = LocalRequest(text: text, peer: peer, caller.release())
        queue.async { [observer] in observer.onNext(request) }
    }

    private func line(from caller: Int32) -> [UInt8]? {
        var text: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while text.count <= Self.maximumLength {
            let count = read(caller, &block, block.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { return nil }
            if let end = block[..<count].firstIndex(of: UInt8(ascii: "\n")) { return text + block[..<end] }
            text += block[..<count]
            if count == 0 { return text.isEmpty ? nil : text }
        }
        return nil
    }
}
