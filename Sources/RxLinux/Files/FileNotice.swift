import Glibc

/// A notice to a subscriber about a path that is not, or not fully, watched.
public enum FileNotice: Sendable, Hashable, CustomStringConvertible {
    /// A path is polled, or watched only in part.
    ///
    /// `isKnown` says whether another subscriber to the path has received the same notice.
    case degraded(FileDegradation, isKnown: Bool)
    /// The path does not exist. The watcher waits until it does.
    case missing(BytePath)
    /// Nothing in the directory matches the patterns to include. The watcher waits until something does.
    case unmatched(BytePath, [Glob])

    /// The file system of the path does not answer.
    case unanswered(BytePath)

    /// The path is not watched yet, since the file system of the root directory does not answer.
    case delayed(BytePath)

    /// The notice as a message.
    public var description: String {
        switch self {
        case .degraded(let degradation, _): "\(degradation)"
        case .missing(let path): "\(path) does not exist; waiting until it does"
        case .unanswered(let path):
            "\(path) is on a file system that does not answer; its watch starts when the file system answers, and no other is delayed"
        case .delayed(let path):
            "\(path) is not watched yet: it is on the file system of the root directory, which does not answer; its watch starts when the file system answers"
        case .unmatched(let path, let include):
            "nothing in \(path) matches \(include.map { "'\($0)'" }.joined(separator: " or ")); waiting until something does"
        }
    }

    /// Whether the notice calls for action.
    public var isProblem: Bool {
        switch self {
        case .degraded, .unanswered, .delayed: true
        case .missing, .unmatched: false
        }
    }

    /// Whether another subscriber received the same notice, and its cause is not over yet.
    public var isKnown: Bool { if case .degraded(_, true) = self { true } else { false } }

    /// The error of the system, if there is one.
    public var error: SystemError? { if case .degraded(let degradation, _) = self { degradation.error } else { nil } }
}

extension FileRequest {
    /// The most files to examine in search of one that is included.
    private static let maximumExamined = 100_000

    /// The notices about the paths before they are watched, each with the path.
    ///
    /// They are about missing paths, and about directories in which nothing is included. Paths on network file systems
    /// are left out.
    public var notices: [(path: BytePath, notice: FileNotice)] {
        // Accessing a network file system would make the caller wait for its server.
        let mounts = BlockingMounts.remote()
        return paths.filter { mounts.touched(by: $0, recursive: recursive).isEmpty }.compactMap { path in
            notice(of: path, mounts).map { (path, $0) }
        }
    }

    private func notice(of path: BytePath, _ mounts: BlockingMounts) -> FileNotice? {
        var status = stat()
        guard path.withCString({ stat($0, &status) == 0 }) else {
            return WatchedRoot.absences.contains(errno) ? .missing(path) : nil
        }
        if include.isEmpty { return nil }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return Self.matches(include, path.name.bytes, []) ? nil : .unmatched(path, include)
        }
        var left = Self.maximumExamined
        var isMatched = false
        var waiting: [[UInt8]] = [[]]
        while let below = waiting.popLast(), !isMatched, left > 0 {
            forEachWatched(below, of: path, mounts) { file, isDirectory in
                left -= 1
                isMatched =
                    isMatched || Self.matches(include, Array(file.dropFirst(below.isEmpty ? 0 : below.count + 1)), file)
                if recursive, isDirectory { waiting.append(file) }
            }
        }
        return isMatched || left <= 0 ? nil : .unmatched(path, include)
    }

    private static func matches(_ globs: [Glob], _ name: [UInt8], _ below: [UInt8]) -> Bool {
        globs.contains { $0.matches(name: name) { below } }
    }
}

extension BytePath {
    /// Whether there is no file at the path.
    ///
    /// `false` for a path on a network file system: accessing it would make the caller wait for its server.
    public var isMissing: Bool {
        var status = stat()
        return BlockingMounts.remote().isLocal(self) && withCString({ stat($0, &status) != 0 })
            && WatchedRoot.absences.contains(errno)
    }

    /// The absolute path without symbolic links, as far as it exists.
    var resolved: BytePath {
        let path = absolute(from: "/")
        if let found = path.withCString({ realpath($0, nil) }) {
            defer { free(found) }
            return BytePath(bytes: UnsafeRawBufferPointer(start: found, count: strlen(found)).map(\.self))
        }
        return path == "/" ? path : path.parent.resolved.appending(path.name)
    }
}

extension WatchedRoot {
    /// The notice about the path when the watch begins.
    var notice: FileNotice? {
        guard let rootFile else { return degradation == nil ? .missing(path) : nil }
        if request.include.isEmpty || isBehind { return nil }
        guard rootFile.isDirectory, let tree else { return wants(path) ? nil : .unmatched(path, request.include) }
        let isMatched = tree.subtree(of: FileTree.root).dropFirst().contains { node in
            request.include.contains { $0.matches(name: tree.name(of: node)) { tree.path(of: node) } }
        }
        return isMatched ? nil : .unmatched(path, request.include)
    }
}
