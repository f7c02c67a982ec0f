import Glibc

/// The directory entries through which a path leads, following symbolic links, up to the first missing one.
struct PathSteps {
    /// The entries, in the order in which the path leads through them: each with its directory and its name in it.
    ///
    /// `isLast` is true for the entry of the file itself, for that of a link at the end of the path, and for the first
    /// missing one.
    private(set) var all: [(directory: BytePath, name: [UInt8], isLast: Bool)] = []

    /// The path without symbolic links; `nil` if it does not exist.
    private(set) var resolved: BytePath?
    /// The path that was not followed: the first directory that must not be accessed, and the rest below it; `nil` for
    /// none.
    private(set) var end: BytePath?

    /// Follows a path until its end, a missing entry, or a directory that must not be accessed.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - isEnd: returns whether a directory must not be accessed, such as a mount whose server may not answer.
    init(_ path: BytePath, until isEnd: (BytePath) -> Bool = { _ in false }) {
        var rest = Array(path.bytes.split(separator: BytePath.slash).map(Array.init).reversed())
        var directory: BytePath = "/"
        var linksLeft = 40
        while let name = rest.popLast() {
            if name == [0x2E, 0x2E] {
                directory = directory.parent
                continue
            }
            all.append((directory, name, rest.isEmpty))
            let here = directory.appending(BytePath(bytes: name))
            if isEnd(here) {
                end = rest.reversed().reduce(here) { $0.appending(BytePath(bytes: $1)) }
                return
            }
            var status = stat()
            guard here.withCString({ lstat($0, &status) == 0 }) else {
                // The first missing entry is the last one, whose creation the watcher waits for.
                all[all.count - 1].isLast = true
                return
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                directory = here
                continue
            }
            guard linksLeft > 0, let target = Self.target(of: here) else { return }
            linksLeft -= 1
            if target.first == BytePath.slash { directory = "/" }
            rest += target.split(separator: BytePath.slash).map(Array.init).filter { $0 != [0x2E] }.reversed()
        }
        resolved = directory
    }

    private static func target(of link: BytePath) -> [UInt8]? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = link.withCString { readlink($0, &target, target.count) }
        return count > 0 ? target[..<count].map { UInt8(bitPattern: $0) } : nil
    }
}
