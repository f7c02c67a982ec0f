import RxDiagnostics
import RxLinux

extension LoadedConfig {
    /// The credentials that the configuration uses, by reference or as one of the paths, a file of the service, each with
    /// the first location.
    func usedCredentials(in paths: [PathOfNode], of service: String) -> [(name: String, location: SourceLocation)] {
        let directory = "/run/credentials/\(service)/"
        let files = paths.compactMap { _, path, used -> (name: String, location: SourceLocation)? in
            path.hasPrefix(directory) ? (String(path.dropFirst(directory.count)), used.location) : nil
        }
        var seen: Set<String> = []
        return (credentials + files).filter { Credential.isName($0.name) && seen.insert($0.name).inserted }
    }
}

extension ServiceCredentials {
    /// A warning for each credential that the unit does not pass, or reads from a file that does not exist.
    ///
    /// - Parameters:
    ///   - credentials: the credentials that a configuration uses.
    ///   - service: the service of the unit.
    ///   - substitution: the credentials of this process. If it is the service, its sandbox may hide their files.
    func warnings(
        about credentials: [(name: String, location: SourceLocation)], of service: String,
        _ substitution: Substitution
    ) -> [Diagnostic] {
        credentials.compactMap { name, location in
            let problem: String
            switch passing(of: name) {
            case .passed: return nil
            case .missing where substitution.has(name): return nil
            case .missing(let source, let isEncrypted):
                let isPath = source.hasPrefix("/")
                let absence = isPath ? "does not exist" : "is in no credential store"
                let file = isPath ? "it" : "/etc/credstore\(isEncrypted ? ".encrypted" : "")/\(source)"
                let creation = isEncrypted ? "\(file) with systemd-creds encrypt --name=\(name)" : file
                problem =
                    "\(service) reads the credential '\(name)' from \(source), which \(absence): create \(creation), or "
                    + "change LoadCredential\(isEncrypted ? "Encrypted" : "")= with a drop-in"
            case .unnamed:
                let near = NearestName.hint(for: name, in: names.sorted())
                problem =
                    "\(service) does not pass the credential '\(name)'\(near.isEmpty ? "; " : "\(near) If not, ")"
                    + Self.remedy(for: name)
            }
            return Diagnostic(problem, at: location, .warning)
        }
    }

    /// The name of the credential in the drop-in of the package.
    private static let shipped = "api-token"

    /// How an administrator passes a credential: the drop-in of the package, or one like it.
    private static func remedy(for name: String) -> String {
        let dropIn = "\(ServiceSandbox.Restriction.dropIns)/credential.conf"
        if name == shipped { return "\(dropIn) passes it" }
        return "a drop-in like \(dropIn) with LoadCredential=\(name):/etc/credstore/rxwatchd.\(name) passes it"
    }
}

extension Substitution {
    /// Whether this process has a credential.
    fileprivate func has(_ name: String) -> Bool {
        credentials.map { !BytePath(text: "\($0)/\(name)").isMissing } ?? false
    }
}
