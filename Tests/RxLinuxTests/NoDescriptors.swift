import Dispatch
import Glibc

/// Runs `body` while this process may open nothing more to be kept, in a test with a process of its own.
///
/// A few descriptors are left to Dispatch, which looks at the threads that run tests, and ends the process where it
/// cannot.
func withoutDescriptors<Result>(_ body: () async throws -> Result) async throws -> Result {
    await warmUpDispatch()
    let before = openFilesLimit
    let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
    close(next)
    openFilesLimit.rlim_cur = rlim_t(next) + 4
    defer { openFilesLimit = before }
    return try await body()
}

/// How many descriptors this process may have.
var openFilesLimit: rlimit {
    get {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return limit
    }
    set {
        var limit = newValue
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Dispatch opens what it needs for timers with the first of them, and ends the process where it cannot.
func warmUpDispatch() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
    }
}
