import Dispatch
import Glibc

/// Runs `body` while this process cannot open descriptors to keep, in a test with a process of its own.
///
/// A few descriptors are left to Dispatch, which monitors the threads that run tests, and ends the process if it cannot
/// open one.
func withoutDescriptors<Result>(_ body: () async throws -> Result) async throws -> Result {
    await warmUpDispatch()
    let before = openFilesLimit
    let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
    close(next)
    openFilesLimit.rlim_cur = rlim_t(next) + 4
    defer { openFilesLimit = before }
    return try await body()
}

/// The limit on this process's descriptors.
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

/// Dispatch opens descriptors with the first timer, and ends the process if it cannot.
func warmUpDispatch() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
    }
}
