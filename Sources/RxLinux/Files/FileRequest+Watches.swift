import Glibc

extension FileRequest {
    /// The most files to examine while directories are counted.
    private static let maximumCounted = 2_000_000

    /// Adds the files and directories that need an inotify watch now: the paths, and each directory below them.
    ///
    /// Paths on network file systems are left out, since accessing one would make the caller wait for its server.
    ///
    /// - Parameters:
    ///   - watched: where to add their paths.
    ///   - limit: the number of `watched` at which to stop.
    public func addWatched(to watched: inout Set<BytePath>, limit: Int) {
        guard method != .polling else { return }
        let mounts = BlockingMounts.remote()
        var left = Self.maximumCounted
        for path in paths where mounts.touched(by: path, recursive: recursive).isEmpty {
            watched.insert(path)
            guard recursive else { continue }
            var waiting: [[UInt8]] = [[]]
            while let below = waiting.popLast(), watched.count < limit, left > 0 {
                forEachWatched(below, of: path, mounts) { name, isDirectory in
                    left -= 1
                    guard isDirectory else { return }
                    watched.insert(path.appending(BytePath(bytes: name)))
                    waiting.append(name)
                }
            }
        }
    }

    /// Calls `body` with each file of a directory that is not excluded.
    ///
    /// - Parameters:
    ///   - below: the path of the directory below `path`; empty for `path` itself.
    ///   - path: a path of the request.
    ///   - mounts: the mounts that are not accessed.
    ///   - body: called with the path of the file below `path`, and whether it is a directory.
    func forEachWatched(
        _ below: [UInt8], of path: BytePath, _ mounts: BlockingMounts, _ body: ([UInt8], Bool) -> Void
    ) {
        let whole = below.isEmpty ? path : path.appending(BytePath(bytes: below))
        let prefix = below.isEmpty ? [] : below + [BytePath.slash]
        let directory = Directory(whole, entersDirectories: recursive) {
            mounts.end(of: $0, accessible: []).map(FileIdentity.init(target:))
        }
        let isExcluded: ([UInt8]) -> Bool = { name in
            exclude.contains { $0.matches(name: name) { prefix + name } }
        }
        _ = directory?.forEach(where: { !isExcluded($0) }) { entry in
            body(prefix + entry.name, entry.kind.contains(.directory))
        } unknown: { _ in
        }
    }
}
