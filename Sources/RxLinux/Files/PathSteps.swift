import Glibc

/// The names that a path leads through, symbolic links followed, as far as there is something.
struct PathSteps {
    /// Each as a directory, a name in it, and whether it is the last of what there is.
    private(set) var all: [(directory: BytePath, name: [UInt8], isLast: Bool)] = []

    init(_ path: BytePath) {
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
            var status = stat()
            guard here.withCString({ lstat($0, &status) == 0 }) else {
                // The first that is not there is what is waited for.
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
    }

    private static func target(of link: BytePath) -> [UInt8]? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = link.withCString { readlink($0, &target, target.count) }
        return count > 0 ? target[..<count].map { UInt8(bitPattern: $0) } : nil
    }
}
