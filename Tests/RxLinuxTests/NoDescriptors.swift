import Dispatch
import Foundation
import TestSupport
import Testing

/// Runs `body` while this process cannot open descriptors to keep, in a test with a process of its own.
///
/// The reserve stays free for Dispatch, which opens a file for each thread that runs tests now and then, and ends the
/// process if it cannot. Those that it has open at the start would leave free descriptors when it closes them.
func withoutDescriptors<Result>(_ body: () async throws -> Result) async throws -> Result {
    await warmUpDispatch()
    let before = openFilesLimit
    openFilesLimit.rlim_cur = 64
    var used: [Int32] = []
    defer {
        for number in used { close(number) }
        openFilesLimit = before
    }
    try await eventually("all descriptors below the reserve are in use for good") {
        while true {
            let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard next < 48 else {
                close(next)
                break
            }
            used.append(next)
        }
        return (0..<48).map(descriptorTarget).allSatisfy { !$0.isEmpty && !$0.contains("/task/") }
    }
    return try await body()
}

/// What a descriptor of this process refers to: `"pipe:[123]"`; empty if it is closed.
func descriptorTarget(_ number: Int) -> String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) ?? ""
}

/// The number of open descriptors of pipes.
func pipeDescriptors() -> Int {
    (0..<100).count { descriptorTarget($0).hasPrefix("pipe:") }
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
