import Foundation
import RxLinux

/// The number of threads of this process that belong to an HTTP client.
func loops() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { name(ofTask: $0) == "rx-http\n" }
}

/// Reads the name without Foundation, which leaks the file's content if the thread ends meanwhile.
private func name(ofTask task: String) -> String {
    guard let file = fopen("/proc/self/task/\(task)/comm", "re") else { return "" }
    defer { fclose(file) }
    var name = [UInt8](repeating: 0, count: 32)
    let count = fread(&name, 1, name.count, file)
    return String(decoding: name[..<count], as: UTF8.self)
}

/// The open descriptors that a started program would inherit, except for the standard streams.
func inheritable() -> Set<Int> {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return Set(
        all.compactMap { Int($0) }.filter {
            let flags = fcntl(Int32($0), F_GETFD)
            // Dispatch opens files of /proc periodically, to inspect the process's threads.
            let target = descriptorTarget($0)
            return $0 > 2 && flags >= 0 && flags & FD_CLOEXEC == 0 && !target.isEmpty && !target.hasPrefix("/proc/")
        })
}

/// The number of open descriptors.
func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
}

/// Returns the duration of `body` in seconds.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
}
