import Glibc

/// Access to paths that are longer than a system call accepts.
enum LongPath {
    /// The most bytes of a path to pass to one call, so that it is short enough with a descriptor's name in front.
    private static let maximum = Int(PATH_MAX) - 64

    /// `O_PATH`, which also opens directories that can be traversed and not read.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Calls `body` with a short path to the same file, through an open directory.
    ///
    /// If the long path leads through a missing directory or a file, `body` fails with the same error as for the long
    /// path. `errno` is preserved after `body`.
    ///
    /// - Returns: the result of `body`; `nil` if there is no short path, or no descriptor for it.
    static func withCString<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
        var directory = AT_FDCWD
        defer {
            let error = errno
            if directory >= 0 { close(directory) }
            errno = error
        }
        var rest = path[...]
        while rest.count > maximum {
            guard let end = rest.prefix(maximum).lastIndex(of: BytePath.slash), end > rest.startIndex else {
                return nil
            }
            let part = rest[..<end]
            let next = part.withNullTerminated { openat(directory, $0, pathOnly | O_DIRECTORY | O_CLOEXEC) }
            guard next >= 0 else {
                if [EMFILE, ENFILE, ENOMEM].contains(errno) { return nil }
                rest = part + Array("/.".utf8)
                break
            }
            if directory >= 0 { close(directory) }
            directory = next
            rest = rest[(end + 1)...]
        }
        let prefix = directory >= 0 ? Array("/proc/self/fd/\(directory)/".utf8) : []
        return (prefix + rest)[...].withNullTerminated(body)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func withNullTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        body(map { CChar(bitPattern: $0) } + [0])
    }
}
