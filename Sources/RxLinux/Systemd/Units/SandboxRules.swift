/// What the sandbox of a service forbids, with the paths that its settings lead to, which are read once.
public struct SandboxRules: Sendable {
    fileprivate typealias Rule = (path: String, restriction: ServiceSandbox.Restriction?)

    private let hiding: [Rule]
    private let readOnly: [Rule]
    private let owned: [String]
    private let bound: [String]
    private let user: ServiceUser?
    /// The mounts of network file systems, which are not accessed.
    private let remote: BlockingMounts

    /// Reads where the paths of a sandbox's settings lead to.
    public init(of sandbox: ServiceSandbox) {
        let remote = BlockingMounts.remote()
        // The path of a setting counts, and the one that it leads to.
        func forms(_ path: String) -> Set<String> {
            let written = BytePath(path)
            return remote.isLocal(written) ? [path, written.resolved.description] : [path]
        }
        func forms(_ rules: [Rule]) -> [Rule] {
            rules.flatMap { rule in forms(rule.path).map { ($0, rule.restriction) } }
        }
        hiding = forms(sandbox.hidingRules)
        readOnly = forms(sandbox.readOnlyRules)
        owned = sandbox.owned.flatMap(forms)
        bound = sandbox.bound.flatMap(forms)
        user = sandbox.user
        self.remote = remote
    }

    /// Returns what prevents the use of a path; `nil` if nothing does.
    ///
    /// Of the settings, the one with the longest path counts. They also count for the file that a symbolic link leads to.
    /// Permissions are read from the file system, except from network file systems, which could block.
    ///
    /// - Parameters:
    ///   - path: the path that the service uses.
    ///   - use: what the service does with it.
    public func restriction(to path: String, for use: PathAccess) -> ServiceSandbox.Restriction? {
        let asked = BytePath(path)
        let isLocal = remote.isLocal(asked)
        let resolved = isLocal ? asked.resolved : asked
        let forms = [path, resolved.description]
        if Self.covers(owned, anyOf: forms) { return nil }
        if let restriction = setting(against: path, use) { return restriction }
        if resolved != asked, let restriction = setting(against: resolved.description, use) {
            return ServiceSandbox.Restriction(restriction.cause, "it is \(resolved), and \(restriction.reason)")
        }
        // What is mounted there has permissions of its own.
        if !isLocal || Self.covers(bound, anyOf: forms) { return nil }
        return user?.restriction(to: resolved, for: use)
    }

    /// Returns the setting that prevents the use of a path; `nil` if there is none.
    private func setting(against path: String, _ use: PathAccess) -> ServiceSandbox.Restriction? {
        if let hidden = Self.longest(hiding, over: path), !Self.isExempt(path, from: hidden.path) {
            return hidden.restriction
        }
        return use == .write ? Self.longest(readOnly, over: path)?.restriction : nil
    }

    /// Whether the path is a device that every service has.
    private static func isExempt(_ path: String, from rule: String) -> Bool {
        let names = [
            "null", "zero", "full", "random", "urandom", "tty", "pts", "shm", "log", "fd", "stdin", "stdout", "stderr",
        ]
        return rule == "/dev" && names.contains { covers("/dev/\($0)", path) }
    }

    /// The rule with the longest path that covers `path`; the first one of equals.
    private static func longest(_ rules: [Rule], over path: String) -> Rule? {
        rules.filter { covers($0.path, path) }.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    private static func covers(_ directories: [String], anyOf paths: [String]) -> Bool {
        directories.contains { directory in paths.contains { covers(directory, $0) } }
    }

    /// Whether a path is that directory, or below it.
    private static func covers(_ directory: String, _ path: String) -> Bool {
        directory == "/" || path == directory || path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }
}

extension ServiceSandbox {
    fileprivate var hidingRules: [SandboxRules.Rule] {
        var rules: [SandboxRules.Rule] = inaccessible.map {
            ($0, Restriction(.other, "InaccessiblePaths=\($0) hides it"))
        }
        rules += bound.map { ($0, nil) }
        if ["yes", "tmpfs"].contains(protectHome) {
            rules += ["/home", "/root", "/run/user"].map {
                ($0, Restriction(.home, "ProtectHome=\(protectHome) hides it"))
            }
        }
        if hasPrivateTmp {
            rules += ["/tmp", "/var/tmp"].map {
                ($0, Restriction(.temporary, "with PrivateTmp=yes, the service has a \($0) of its own"))
            }
        }
        if hasPrivateDevices { rules.append(("/dev", Restriction(.devices, "PrivateDevices=yes hides it"))) }
        return rules
    }

    fileprivate var readOnlyRules: [SandboxRules.Rule] {
        var rules: [SandboxRules.Rule] = readOnly.map {
            ($0, Restriction(.other, "ReadOnlyPaths=\($0) makes it read-only"))
        }
        rules += (readWrite + owned + bound).map { ($0, nil) }
        if protectHome == "read-only" {
            rules += ["/home", "/root", "/run/user"].map {
                ($0, Restriction(.home, "ProtectHome=read-only makes it read-only"))
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
        rules += readOnlyPaths.map { ($0, Restriction(.readOnly, "ProtectSystem=\(protectSystem) makes it read-only")) }
        if protectsKernelTunables {
            rules += ["/proc/sys", "/sys"].map {
                ($0, Restriction(.other, "ProtectKernelTunables=yes makes it read-only"))
            }
        }
        if protectsControlGroups {
            rules.append(("/sys/fs/cgroup", Restriction(.other, "ProtectControlGroups=yes makes it read-only")))
        }
        if protectSystem == "strict" { rules += ["/dev", "/proc", "/sys"].map { ($0, nil) } }
        return rules
    }
}
