import Foundation
import Glibc

/// One of the kernel's inotify limits, changed for the life of this object, for all processes: the tests that
/// use it are named in `Tests/failures`, and run apart from others.
final class SystemLimit: Sendable {
    let value: Int
    private let path: String
    private let before: String

    /// `nil` if changing it is not allowed.
    init?(_ name: String, of value: Int) {
        self.value = value
        path = "/proc/sys/fs/inotify/\(name)"
        guard let before = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        self.before = before
        if !write("\(value)") { return nil }
    }

    deinit {
        restore()
    }

    func restore() {
        _ = write(before)
    }

    private func write(_ text: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } > 0
    }
}
