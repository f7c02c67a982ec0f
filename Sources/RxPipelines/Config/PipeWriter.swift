import Glibc

/// Whoever writes to a pipe that is being read.
struct PipeWriter {
    private let descriptor: Int32
    private let end: ContinuousClock.Instant?

    init(of descriptor: Int32, _ patience: FileBytes.Patience) {
        self.descriptor = descriptor
        end = if case .upTo(let span) = patience { .now + span } else { nil }
    }

    /// Waits until there is something to read, or the writer has closed the pipe.
    func wait() throws(FileBytes.Failure) {
        var (stops, before) = (sigset_t(), sigset_t())
        sigemptyset(&stops)
        if end == nil { for stop in [SIGTERM, SIGINT] { sigaddset(&stops, stop) } }
        // They end the process.
        pthread_sigmask(SIG_UNBLOCK, &stops, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = end.map { Int32(max(.zero, $0 - .now) / .milliseconds(1)) }
            let count = poll(&polled, 1, left ?? -1)
            if count > 0 { return }
            if count == 0 {
                throw FileBytes.Failure(code: ETIMEDOUT, reason: "it is a pipe, and nobody has written it to its end")
            }
            if errno != EINTR { throw .system }
        }
    }
}
