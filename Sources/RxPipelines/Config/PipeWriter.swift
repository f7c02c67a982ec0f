import Glibc

/// Waits for the writer of a pipe.
struct PipeWriter {
    private let descriptor: Int32
    private let end: SuspendingClock.Instant?

    init(of descriptor: Int32, _ wait: FileBytes.PipeWait) {
        self.descriptor = descriptor
        end = if case .upTo(let span) = wait { .now + span } else { nil }
    }

    /// Waits until the pipe has bytes, or the writer has closed it.
    func wait() throws(FileBytes.Failure) {
        var (stops, before) = (sigset_t(), sigset_t())
        sigemptyset(&stops)
        if end == nil { for stop in [SIGTERM, SIGINT] { sigaddset(&stops, stop) } }
        // Unblocked while waiting, so that they end the process.
        pthread_sigmask(SIG_UNBLOCK, &stops, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let left = end.map { Int32(max(.zero, $0 - .now) / .milliseconds(1)) }
            let count = poll(&polled, 1, left ?? -1)
            if count > 0 { return }
            if count == 0 {
                throw FileBytes.Failure(code: ETIMEDOUT, reason: "it is a pipe whose writer has not closed it")
            }
            if errno != EINTR { throw .system }
        }
    }
}
