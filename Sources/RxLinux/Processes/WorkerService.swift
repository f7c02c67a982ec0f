import CLinux
import Glibc

/// The worker's side of a ``WorkerPool``: answers requests on this process's standard input and output.
public struct WorkerService: Sendable {
    private let memory: Int
    private let time: Duration
    private let requestLimit: Int

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - memory: the number of bytes by which the process may grow over all requests.
    ///   - time: the processor time of a request. A signal ends a process that exceeds it.
    ///   - requestLimit: the most bytes of a request.
    public init(memory: Int, time: Duration, requestLimit: Int) {
        self.memory = memory
        self.time = time
        self.requestLimit = requestLimit
    }

    /// Answers requests until the standard input ends.
    ///
    /// - Parameter answer: returns the answer to a request.
    /// - Returns: the process's exit status.
    public func run(_ answer: ([UInt8]) -> [UInt8]) -> Int32 {
        // The kernel kills this process first when memory is short. No core file, since the memory may hold secrets.
        if let file = fopen("/proc/self/oom_score_adj", "we") {
            fputs("1000", file)
            fclose(file)
        }
        rx_forbid_dumps()
        guard limitMemory() else { return 1 }
        let frames = WorkerFrames(STDIN_FILENO)
        while let request = try? frames.receive(limit: requestLimit) {
            setTimer(time)
            let answer = answer(request)
            setTimer(.zero)
            guard (try? frames.send(answer)) != nil else { return 1 }
        }
        return 0
    }

    private func limitMemory() -> Bool {
        let sizes = KernelFile.text(of: "/proc/self/statm").split(separator: " ")
        guard let pages = sizes.first.flatMap({ Int($0) }) else { return false }
        let bytes = rlim_t(pages * sysconf(Int32(_SC_PAGESIZE)) + memory)
        var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
        return setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0
    }

    private func setTimer(_ time: Duration) {
        let (seconds, rest) = time.components
        var timer = itimerval()
        timer.it_value = timeval(tv_sec: Int(seconds), tv_usec: Int(rest / 1_000_000_000_000))
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }
}
