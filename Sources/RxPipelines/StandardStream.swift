import Glibc

/// Standard output and standard error, written a line at a time, past stdio's buffers.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes a line. What a reader that has gone does not take is lost.
    package func print(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(rawValue, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
