import RxDiagnostics
import RxLinux

/// A path that a source or a pipeline uses, with its description in messages: "pipeline p".
typealias PathOfNode = (node: String, path: String, used: ConfiguredPath)

extension ServiceSandbox {
    /// A warning for each of the paths that the unit of a service or the permissions of files keep from the sources, steps and
    /// sinks, with what allows it.
    func restrictions(to paths: [PathOfNode], of service: String) -> [Diagnostic] {
        let rules = SandboxRules(of: self)
        return paths.compactMap { name, path, used in
            guard !used.isTemplate, let restriction = rules.restriction(to: path, for: used.use) else { return nil }
            // A notice says more about what nobody can run.
            if case .permissions = restriction.cause, used.use == .run, BytePath(text: path).programObstacle != nil {
                return nil
            }
            return Diagnostic(
                "\(name): \(path): \(restriction.reason) in \(service); \(restriction.remedy(for: used.use))",
                at: used.location, .warning)
        }
    }
}

extension LoadedConfig {
    /// A notice for each path that a source waits for, for each program, directory, certificate and socket that does not
    /// exist, for each program that nobody can run, and for each file of a sink whose directory does not exist. Paths on
    /// network file systems are left out.
    func missing(_ paths: [PathOfNode]) -> [Diagnostic] {
        let nodes = nodeLocations
        let awaited = plan.sources.flatMap { source in
            source.kind.notices.compactMap { path, message in
                let used = source.paths.first { $0.path.map { BytePath(text: $0) } == path }
                return (used?.location ?? nodes[source.name]).map {
                    Diagnostic("source \(source.name): \(message)", at: $0, .notice)
                }
            }
        }
        return awaited
            + paths.compactMap { name, path, used in
                let file = BytePath(text: path)
                if used.isRequired, used.isMissing {
                    return Diagnostic("\(name): \(path) does not exist\(used.advice)", at: used.location, .notice)
                }
                if used.use == .run, let obstacle = file.programObstacle {
                    return Diagnostic("\(name): \(path) \(obstacle.explained(at: path))", at: used.location, .notice)
                }
                // The directory of a file that a sink writes is not made.
                if used.use == .write, file.parent.isMissing {
                    return Diagnostic(
                        "\(name): the directory of \(path) does not exist; create \(file.parent)", at: used.location,
                        .notice)
                }
                return nil
            }
    }

    /// A warning at the largest source if the sources need more inotify watches than the kernel allows one user.
    ///
    /// - Parameter limit: the most watches of one user; `nil` if it is unknown.
    func watchWarning(limit: Int?) -> Diagnostic? {
        guard let limit else { return nil }
        var watched: Set<BytePath> = []
        let counts = plan.sources.map { source in
            let before = watched.count
            source.kind.addWatched(to: &watched, limit: limit + 1)
            return (name: source.name, count: watched.count - before)
        }
        guard watched.count > limit, let largest = counts.max(by: { $0.count < $1.count }),
            let location = nodeLocations[largest.name]
        else { return nil }
        return Diagnostic(
            "the sources need more than the \(limit) inotify watches that this host allows a user, most of them source "
                + "\(largest.name), and what has none is polled: raise fs.inotify.max_user_watches with sysctl, or exclude "
                + "directories", at: location, .warning)
    }

    /// The paths of all sources and pipelines, without those with a credential.
    var usedPaths: [PathOfNode] {
        let all =
            plan.sources.map { ("source \($0.name)", $0.paths) }
            + plan.pipelines.map { ("pipeline \($0.name)", $0.paths + $0.sinks.flatMap(\.paths)) }
        return all.flatMap { name, paths in
            paths.sorted(by: { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) })
                .compactMap { used in
                    guard let path = used.path, secrets.redacted(path) == path else { return nil }
                    return (name, path, used)
                }
        }
    }

    /// The locations of the names of sources and pipelines.
    var nodeLocations: [String: SourceLocation] {
        let pairs = ["sources", "pipelines"].flatMap { root[$0]?.mapping ?? [] }
        return Dictionary(pairs.map { ($0.key, $0.keyLocation) }) { first, _ in first }
    }
}

extension ConfiguredPath {
    /// What to write in place of a command line as a program.
    fileprivate var advice: String {
        commandLine.map { ": the first element is the name of the program, with its spaces; write \($0.list)" } ?? ""
    }
}

extension BytePath.ProgramObstacle {
    /// The obstacle and what removes it, after the path.
    fileprivate func explained(at path: String) -> String {
        switch self {
        case .directory: "is a directory, not a program; write the path of a program"
        case .notExecutable: Self.advice(on: path)
        }
    }

    /// What to do about a file that nobody may execute. Advises chmod only if the file looks like a program.
    private static func advice(on path: String) -> String {
        do {
            let beginning = try FileBytes.read(path, limit: 4)
            if beginning.starts(with: "#!".utf8) || beginning.starts(with: "\u{7F}ELF".utf8) {
                return "is not executable: chmod +x \(path)"
            }
        } catch  where error.code != nil {
            return "is not executable, and cannot be read to see if it is a program: \(error.reason)"
        } catch {}
        return
            "is no program: it is not executable, and neither a script that begins with #! nor an ELF binary; write "
            + "the path of a program"
    }
}
