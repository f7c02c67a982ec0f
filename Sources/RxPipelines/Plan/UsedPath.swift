import RxLinux

/// A path that a source, a step or a sink uses.
package struct UsedPath: Sendable, Equatable {
    package let path: String
    package var isWritten = false

    package init(_ path: String, isWritten: Bool = false) {
        self.path = path
        self.isWritten = isWritten
    }

    /// The program and the directory of a command, as far as they are known: a program without a slash is looked for
    /// when it is run.
    static func ofCommand(_ program: String?, _ directory: String?) -> [UsedPath] {
        absolute([program, directory])
    }

    /// The files that a request reads, and the socket that it connects to.
    static func ofRequest(
        _ authentication: HTTPAuthentication?, _ tls: HTTPTLS, _ route: HTTPRoute
    ) -> [UsedPath] {
        var files = [tls.authorities, tls.identity?.certificate, tls.identity?.key]
        if case .file(let path)? = authentication?.secret { files.append(path) }
        return absolute(files + [route.socket])
    }

    private static func absolute(_ paths: [String?]) -> [UsedPath] {
        var seen: Set<String> = []
        return paths.compactMap(\.self).filter { $0.hasPrefix("/") && seen.insert($0).inserted }.map { UsedPath($0) }
    }
}

extension Plan {
    /// The paths that the sandbox of the service's unit keeps from its sources, steps and sinks, one line each. A path
    /// with a credential is not named.
    func obstacles(in sandbox: ServiceSandbox) -> [String] {
        let used =
            sources.map { ("source \($0.name)", $0.kind.paths) }
            + pipelines.map { ("pipeline \($0.name)", $0.steps.flatMap(\.paths) + $0.sinks.flatMap(\.kind.paths)) }
        return used.flatMap { name, paths in
            paths.filter { secrets.redacted($0.path) == $0.path }.compactMap { used in
                sandbox.obstacle(to: used.path, isWritten: used.isWritten).map { "\(name): \(used.path): \($0)" }
            }
        }
    }
}
