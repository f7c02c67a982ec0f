import Glibc

/// An open directory, whose entries are listed.
struct Directory: ~Copyable {
    /// A file in the directory.
    struct Entry {
        let name: [UInt8]
        let kind: FileTree.Flags
        let identity: FileIdentity
    }

    private let stream: OpaquePointer
    private let path: BytePath
    private let comparesContent: Bool
    private let entersDirectories: Bool
    private let unfollowed: (BytePath) -> FileIdentity?

    /// Opens the directory at `path`; `nil` if that fails, with the error in `errno`.
    ///
    /// - Parameters:
    ///   - path: the directory.
    ///   - content: whether files are identified by their content.
    ///   - entersDirectories: whether directories in it are examined, too, which accesses what is mounted there.
    ///   - unfollowed: the identity of the symbolic link at a path whose target is not accessed; `nil` for others.
    init?(
        _ path: BytePath, content: Bool = false, entersDirectories: Bool,
        unfollowed: @escaping (BytePath) -> FileIdentity?
    ) {
        self.path = path
        comparesContent = content
        self.entersDirectories = entersDirectories
        self.unfollowed = unfollowed
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

    /// Calls `body` with each entry, except those that are removed meanwhile.
    ///
    /// - Parameters:
    ///   - isWanted: whether to examine an entry with this name.
    ///   - body: called with each entry.
    ///   - unknown: called with the name of each entry that cannot be examined, with the error in `errno`.
    /// - Returns: whether the directory was read to its end; if not, there may be more entries.
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
            if !entersDirectories, entry.pointee.d_type == UInt8(DT_DIR) {
                let identity = FileIdentity(inode: UInt64(entry.pointee.d_ino), size: 0, modified: 0)
                body(Entry(name: name, kind: .directory, identity: identity))
                continue
            }
            var status = stat()
            let exists = BytePath(bytes: name).withCString {
                fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) == 0
            }
            guard exists else {
                if errno != ENOENT { unknown(name) }
                continue
            }
            var kind: FileTree.Flags = []
            var identity = FileIdentity(status)
            switch status.st_mode & S_IFMT {
            case S_IFDIR: kind = .directory
            case S_IFLNK:
                kind = .link
                // A link is identified by its target.
                if let known = unfollowed(path.appending(BytePath(bytes: name))) {
                    identity = known
                } else if BytePath(bytes: name).withCString({ fstatat(directory, $0, &status, 0) == 0 }) {
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
    /// Identifies the file at a path, following symbolic links; `nil` if there is none.
    init?(of path: BytePath) {
        var status = stat()
        guard path.withCString({ stat($0, &status) == 0 }) else { return nil }
        self.init(status)
    }
}
