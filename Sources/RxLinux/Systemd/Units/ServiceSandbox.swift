/// The restrictions that the unit of a service sets on the file system, and the user that the service runs as.
public struct ServiceSandbox: Sendable, Equatable {
    /// `ProtectHome=`.
    public var protectHome = "no"
    /// `ProtectSystem=`.
    public var protectSystem = "no"
    /// `PrivateTmp=`.
    public var hasPrivateTmp = false
    /// `PrivateDevices=`.
    public var hasPrivateDevices = false
    /// `ProtectKernelTunables=`.
    public var protectsKernelTunables = false
    /// `ProtectControlGroups=`.
    public var protectsControlGroups = false
    /// `InaccessiblePaths=`.
    public var inaccessible: [String] = []
    /// `ReadOnlyPaths=`.
    public var readOnly: [String] = []
    /// `ReadWritePaths=`.
    public var readWrite: [String] = []
    /// The directories that the service manager creates for the service, and gives to its user.
    public var owned: [String] = []
    /// The destinations of `BindPaths=` and `BindReadOnlyPaths=`.
    public var bound: [String] = []
    /// The user that the service runs as; `nil` if permissions are not checked.
    public var user: ServiceUser?

    /// Creates a sandbox without restrictions.
    public init() {}

    /// Why a service cannot use a path.
    public struct Obstacle: Sendable, Hashable {
        /// What has to be changed so that it can.
        public enum Cause: Sendable, Hashable {
            /// The setting for home directories.
            case home
            /// The setting for temporary files: the service has its own.
            case temporary
            /// The setting for devices.
            case devices
            /// A setting that makes everything read-only, but for exceptions.
            case readOnly
            /// Another setting.
            case other
            /// The permissions of a file, which allow it to the members of this group, if there is one.
            case permissions(group: String?)
        }

        /// What has to be changed.
        public let cause: Cause
        /// The setting or the permissions, and their effect.
        public let reason: String

        /// Creates an obstacle.
        public init(_ cause: Cause, _ reason: String) {
            (self.cause, self.reason) = (cause, reason)
        }
    }

    /// Returns what prevents the use of a path; `nil` if nothing does.
    ///
    /// Of the settings, the one with the longest path counts. They also count for the file that a symbolic link leads to.
    /// Permissions are read from the file system, except from network file systems, which could block.
    ///
    /// - Parameters:
    ///   - path: the path that the service uses.
    ///   - use: what the service does with it.
    public func obstacle(to path: String, for use: PathUse) -> Obstacle? {
        let asked = BytePath(path)
        let resolved = asked.isLocal ? asked.resolved : asked
        let forms = [path, resolved.description]
        if forms.contains(where: { isCovered($0, by: owned) }) { return nil }
        if let obstacle = setting(against: path, use) { return obstacle }
        if resolved != asked, let obstacle = setting(against: resolved.description, use) {
            return Obstacle(obstacle.cause, "it is \(resolved), and \(obstacle.reason)")
        }
        // What is mounted there has permissions of its own.
        if !asked.isLocal || forms.contains(where: { isCovered($0, by: bound) }) { return nil }
        return user?.obstacle(to: resolved, for: use)
    }

    private func isCovered(_ path: String, by directories: [String]) -> Bool {
        directories.contains { Self.forms(of: $0).contains { Self.covers($0, path) } }
    }

    /// A path of a setting, and the one that it leads to.
    private static func forms(of path: String) -> Set<String> {
        let written = BytePath(path)
        return written.isLocal ? [path, written.resolved.description] : [path]
    }

    /// Returns the setting that prevents the use of a path; `nil` if there is none.
    private func setting(against path: String, _ use: PathUse) -> Obstacle? {
        if let hidden = longest(hidingRules, over: path), !isExempt(path, from: hidden.path) { return hidden.obstacle }
        return use == .write ? longest(readOnlyRules, over: path)?.obstacle : nil
    }

    private typealias Rule = (path: String, obstacle: Obstacle?)

    private var hidingRules: [Rule] {
        var rules: [Rule] = inaccessible.map { ($0, Obstacle(.other, "InaccessiblePaths=\($0) hides it")) }
        rules += bound.map { ($0, nil) }
        if ["yes", "tmpfs"].contains(protectHome) {
            rules += ["/home", "/root", "/run/user"].map {
                ($0, Obstacle(.home, "ProtectHome=\(protectHome) hides it"))
            }
        }
        if hasPrivateTmp {
            rules += ["/tmp", "/var/tmp"].map {
                ($0, Obstacle(.temporary, "with PrivateTmp=yes, the service has a \($0) of its own"))
            }
        }
        if hasPrivateDevices { rules.append(("/dev", Obstacle(.devices, "PrivateDevices=yes hides it"))) }
        return rules
    }

    private var readOnlyRules: [Rule] {
        var rules: [Rule] = readOnly.map {
            ($0, Obstacle(.other, "ReadOnlyPaths=\($0) makes it read-only"))
        }
        rules += (readWrite + owned + bound).map { ($0, nil) }
        if protectHome == "read-only" {
            rules += ["/home", "/root", "/run/user"].map {
                ($0, Obstacle(.home, "ProtectHome=read-only makes it read-only"))
            }
        }
        if hasPrivateTmp { rules += [("/tmp", nil), ("/var/tmp", nil)] }
        let readOnlyPaths: [String] =
            switch protectSystem {
            case "strict": ["/"]
            case "full": ["/usr", "/boot", "/efi", "/etc"]
            case "yes": ["/usr", "/boot", "/efi"]
            default: []
            }
        rules += readOnlyPaths.map { ($0, Obstacle(.readOnly, "ProtectSystem=\(protectSystem) makes it read-only")) }
        if protectsKernelTunables {
            rules += ["/proc/sys", "/sys"].map {
                ($0, Obstacle(.other, "ProtectKernelTunables=yes makes it read-only"))
            }
        }
        if protectsControlGroups {
            rules.append(("/sys/fs/cgroup", Obstacle(.other, "ProtectControlGroups=yes makes it read-only")))
        }
        if protectSystem == "strict" { rules += ["/dev", "/proc", "/sys"].map { ($0, nil) } }
        return rules
    }

    /// Whether it is a device that every service has.
    private func isExempt(_ path: String, from rule: String) -> Bool {
        let names = [
            "null", "zero", "full", "random", "urandom", "tty", "pts", "shm", "log", "fd", "stdin", "stdout", "stderr",
        ]
        return rule == "/dev" && names.contains { Self.covers("/dev/\($0)", path) }
    }

    /// The rule with the longest path that covers `path`; the first one of equals.
    private func longest(_ rules: [Rule], over path: String) -> Rule? {
        let forms = rules.flatMap { rule in Self.forms(of: rule.path).map { (path: $0, obstacle: rule.obstacle) } }
        return forms.filter { Self.covers($0.path, path) }.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// Whether a path is that directory, or below it.
    private static func covers(_ directory: String, _ path: String) -> Bool {
        directory == "/" || path == directory || path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }
}
