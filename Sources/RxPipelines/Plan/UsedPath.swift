import RxLinux

/// A path that a source, a step or a sink uses.
package struct UsedPath: Sendable, Equatable {
    package let path: String
    package let use: PathUse
    /// Whether events fail until the path exists.
    package var isRequired = false

    package init(_ path: String, _ use: PathUse = .read, isRequired: Bool = false) {
        self.path = path
        self.use = use
        self.isRequired = isRequired
    }

    /// The program and the directory of a command, as far as they are known: a program without a slash is looked for
    /// when it is run.
    static func ofCommand(_ program: String?, _ directory: String?) -> [UsedPath] {
        absolute([(program, .run), (directory, .enter)])
    }

    /// The files that a request reads, and the socket that it connects to.
    static func ofRequest(
        _ authentication: HTTPAuthentication?, _ tls: HTTPTLS, _ route: HTTPRoute
    ) -> [UsedPath] {
        var files = [tls.authorities, tls.identity?.certificate, tls.identity?.key]
        if case .file(let path)? = authentication?.secret { files.append(path) }
        return absolute(files.map { ($0, .read) } + [(route.socket, .connect)])
    }

    private static func absolute(_ paths: [(path: String?, use: PathUse)]) -> [UsedPath] {
        var seen: Set<String> = []
        return paths.compactMap { path, use in
            guard let path, path.hasPrefix("/"), seen.insert(path).inserted else { return nil }
            return UsedPath(path, use, isRequired: true)
        }
    }
}

extension Plan {
    /// The paths that the unit of a service or the permissions of files keep from its sources, steps and sinks, and how to
    /// allow each, one line each. A path with a credential is not named.
    func obstacles(in sandbox: ServiceSandbox, of service: String) -> [String] {
        let rules = SandboxRules(of: sandbox)
        return usedPaths.compactMap { name, used in
            rules.obstacle(to: used.path, for: used.use).map {
                "\(name): \(used.path): \($0.reason) in \(service); \($0.remedy(for: used))"
            }
        }
    }

    /// The paths that sources wait for, and those of programs, directories, certificates and sockets that do not exist,
    /// also the directories of files that sinks write, one line each. Paths on network file systems are left out.
    var missingPaths: [String] {
        let awaited = sources.flatMap { source in source.kind.notices.map { "source \(source.name): \($0)" } }
        return awaited
            + usedPaths.compactMap { name, used in
                let path = BytePath(text: used.path)
                if used.isRequired, path.isMissing { return "\(name): \(used.path) does not exist" }
                // The directory of a file that a sink writes is not made.
                if used.use == .write, path.parent.isMissing {
                    return "\(name): the directory of \(used.path) does not exist"
                }
                return nil
            }
    }

    /// A warning if the sources need more inotify watches than the kernel allows one user.
    ///
    /// - Parameter limit: the most watches of one user; `nil` if it is unknown.
    func watchWarning(limit: Int?) -> String? {
        guard let limit else { return nil }
        var watched: Set<BytePath> = []
        let counts = sources.map { source in
            let before = watched.count
            source.kind.addWatched(to: &watched, limit: limit + 1)
            return (name: source.name, count: watched.count - before)
        }
        guard watched.count > limit, let largest = counts.max(by: { $0.count < $1.count }) else { return nil }
        return
            "the sources need more than the \(limit) inotify watches that this host allows a user, most of them source "
            + "\(largest.name), and what has none is polled: raise fs.inotify.max_user_watches with sysctl, or exclude "
            + "directories"
    }

    /// Whether a source, a step or a sink uses a path.
    var usesPaths: Bool { !usedPaths.isEmpty }

    /// The paths of all sources and pipelines, without those with a credential.
    private var usedPaths: [(name: String, used: UsedPath)] {
        let all =
            sources.map { ("source \($0.name)", $0.kind.paths) }
            + pipelines.map { ("pipeline \($0.name)", $0.steps.flatMap(\.paths) + $0.sinks.flatMap(\.kind.paths)) }
        return all.flatMap { name, paths in
            paths.filter { secrets.redacted($0.path) == $0.path }.map { (name, $0) }
        }
    }
}
