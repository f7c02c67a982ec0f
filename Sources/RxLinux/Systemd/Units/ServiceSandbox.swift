/// The restrictions that the unit of a service sets on the file system.
public struct ServiceSandbox: Sendable, Equatable {
    /// `ProtectHome=`.
    public var protectHome = "no"
    /// `ProtectSystem=`.
    public var protectSystem = "no"
    /// `PrivateTmp=`.
    public var hasPrivateTmp = false
    /// `PrivateDevices=`.
    public var hasPrivateDevices = false
    /// `InaccessiblePaths=`.
    public var inaccessible: [String] = []
    /// `ReadOnlyPaths=`.
    public var readOnly: [String] = []
    /// `ReadWritePaths=`, and the directories that the service manager creates for the service.
    public var readWrite: [String] = []
    /// The destinations of `BindPaths=` and `BindReadOnlyPaths=`.
    public var bound: [String] = []

    /// Creates a sandbox without restrictions.
    public init() {}

    /// Returns the setting that prevents the use of a path, with its effect; `nil` if there is none.
    ///
    /// The rule with the longest path counts.
    ///
    /// - Parameters:
    ///   - path: the path that the service uses.
    ///   - isWritten: whether the service also writes to it.
    public func obstacle(to path: String, isWritten: Bool) -> String? {
        if let hidden = longest(hidingRules, over: path), !isExempt(path, from: hidden.path) { return hidden.reason }
        return isWritten ? longest(readOnlyRules, over: path)?.reason : nil
    }

    private typealias Rule = (path: String, reason: String?)

    private var hidingRules: [Rule] {
        var rules: [Rule] = inaccessible.map { ($0, "InaccessiblePaths=\($0) hides it") } + bound.map { ($0, nil) }
        if ["yes", "tmpfs"].contains(protectHome) {
            rules += ["/home", "/root", "/run/user"].map { ($0, "ProtectHome=\(protectHome) hides it") }
        }
        if hasPrivateTmp {
            rules += ["/tmp", "/var/tmp"].map { ($0, "with PrivateTmp=yes, the service has a \($0) of its own") }
        }
        if hasPrivateDevices { rules.append(("/dev", "PrivateDevices=yes hides it")) }
        return rules
    }

    private var readOnlyRules: [Rule] {
        var rules: [Rule] = readOnly.map { ($0, "ReadOnlyPaths=\($0) makes it read-only") }
        rules += (readWrite + bound).map { ($0, nil) }
        if protectHome == "read-only" {
            rules += ["/home", "/root", "/run/user"].map { ($0, "ProtectHome=read-only makes it read-only") }
        }
        if hasPrivateTmp { rules += [("/tmp", nil), ("/var/tmp", nil)] }
        let readOnlyPaths: [String] =
            switch protectSystem {
            case "strict": ["/"]
            case "full": ["/usr", "/boot", "/efi", "/etc"]
            case "yes": ["/usr", "/boot", "/efi"]
            default: []
            }
        rules += readOnlyPaths.map { ($0, "ProtectSystem=\(protectSystem) makes it read-only") }
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

    /// The rule with the longest path that covers `path`; the last one of equals.
    private func longest(_ rules: [Rule], over path: String) -> Rule? {
        rules.filter { Self.covers($0.path, path) }.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    /// Whether a path is that directory, or below it.
    private static func covers(_ directory: String, _ path: String) -> Bool {
        directory == "/" || path == directory || path.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }
}
