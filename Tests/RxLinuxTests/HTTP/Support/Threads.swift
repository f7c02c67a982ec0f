import Foundation
import RxLinux

/// How many threads of this process are an HTTP client's.
func loops() -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { name(ofTask: $0) == "rx-http\n" }
}

/// Foundation would leak what it reads of a thread that ends meanwhile.
private func name(ofTask task: String) -> String {
    guard let file = fopen("/proc/self/task/\(task)/comm", "re") else { return "" }
    defer { fclose(file) }
    var name = [UInt8](repeating: 0, count: 32)
    let count = fread(&name, 1, name.count, file)
    return String(decoding: name[..<count], as: UTF8.self)
}

/// The numbers of the open descriptors that a started program would inherit, standard ones aside.
func inheritable() -> Set<Int> {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return Set(
        all.compactMap { Int($0) }.filter {
            let flags = fcntl(Int32($0), F_GETFD)
            // Dispatch looks at the process's threads now and then.
            let target = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) ?? "/proc/"
            return $0 > 2 && flags >= 0 && flags & FD_CLOEXEC == 0 && !target.hasPrefix("/proc/")
        })
}

/// How many descriptors are open.
func descriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
}

/// The seconds that `body` took.
func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
}
