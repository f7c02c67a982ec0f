import Dispatch
import Glibc

/// Runs `body` while this process can open no descriptor more, in a test with a process of its own.
func withoutDescriptors<Result>(_ body: () async throws -> Result) async throws -> Result {
    await warmUpDispatch()
    let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    getrlimit(descriptors, &limit)
    // But the standard streams: what is asked for at a number that is over the limit is another error.
    var none = rlimit(rlim_cur: 3, rlim_max: limit.rlim_max)
    setrlimit(descriptors, &none)
    defer { setrlimit(descriptors, &limit) }
    return try await body()
}

/// Dispatch opens what it needs for timers with the first of them, and ends the process where it cannot.
func warmUpDispatch() async {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
    }
}
