import Glibc

extension FileRequest {
    /// The most files to examine while directories are counted.
    private static let maximumCounted = 2_000_000

    /// Estimates the number of inotify watches that the paths need now, one for each directory.
    ///
    /// Paths on network file systems are left out, since accessing one would make the caller wait for its server.
    ///
    /// - Parameter limit: the number at which to stop counting.
    public func watchCount(limit: Int) -> Int {
        guard method != .polling else { return 0 }
        let mounts = BlockingMounts.remote()
        var count = 0
        var left = Self.maximumCounted
        for path in paths where mounts.touched(by: path, recursive: recursive).isEmpty {
            count += 1
            guard recursive else { continue }
            var waiting: [[UInt8]] = [[]]
            while let below = waiting.popLast(), count < limit, left > 0 {
                forEachWatched(below, of: path, mounts) { name, isDirectory in
                    left -= 1
                    guard isDirectory else { return }
                    count += 1
                    waiting.append(name)
                }
            }
        }
        return min(count, limit)
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
