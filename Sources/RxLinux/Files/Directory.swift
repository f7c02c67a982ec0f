import Glibc

/// What is in a directory, as the kernel lists it.
struct Directory: ~Copyable {
    struct Entry {
        let name: [UInt8]
        let kind: FileTree.Flags
        let identity: FileIdentity
    }

    private let stream: OpaquePointer
    private let path: BytePath
    private let comparesContent: Bool

    /// Opens the directory at `path`; `nil` where that cannot be done, as `errno` says.
    ///
    /// - Parameter content: whether files are known by what is in them.
    init?(_ path: BytePath, content: Bool = false) {
        self.path = path
        comparesContent = content
        let descriptor = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        self.stream = stream
    }

    deinit {
        closedir(stream)
    }

    /// Calls `body` with each name that `isWanted`, what kind of thing it is of, and how it is now; `unknown` with what
    /// is there, and cannot be looked at, as `errno` says. What goes meanwhile is left out.
    ///
    /// - Returns: whether that was all; there may be more where the directory could not be read to its end.
    borrowing func forEach(
        where isWanted: ([UInt8]) -> Bool, _ body: (Entry) -> Void, unknown: ([UInt8]) -> Void
    ) -> Bool {
        let directory = dirfd(stream)
        while true {
            errno = 0
            guard let entry = readdir(stream) else { return errno == 0 }
            let length = Int(entry.pointee.d_reclen) - (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
                    Array(UnsafeBufferPointer(start: bytes, count: length).prefix { $0 != 0 })
                }
            }
            guard name != [0x2E], name != [0x2E, 0x2E], isWanted(name) else { continue }
            var status = stat()
            let isThere = BytePath(bytes: name).withCString {
                fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
            guard isThere else {
                if errno != ENOENT { unknown(name) }
                continue
            }
            var kind: FileTree.Flags = []
            var identity = FileIdentity(status)
            switch status.st_mode & S_IFMT {
            case S_IFDIR: kind = .directory
            case S_IFLNK:
                kind = .link
                // What is at its end counts.
                if BytePath(bytes: name).withCString({ fstatat(directory, $0, &status, 0) == 0 }) {
                    identity = FileIdentity(status)
                }
            case S_IFREG where comparesContent:
                identity = FileIdentity(content: path.appending(BytePath(bytes: name))) ?? .unknown
            default: break
            }
            body(Entry(name: name, kind: kind, identity: identity))
        }
    }
}

extension FileIdentity {
    /// Of what is at a path, at the end of symbolic links; `nil` where there is nothing.
    init?(of path: BytePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) == 0 }) else { return nil }
        self.init(status)
    }
}
