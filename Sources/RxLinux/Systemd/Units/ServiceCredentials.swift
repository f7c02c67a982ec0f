import Glibc

/// The credentials that the unit of a service passes to it.
public struct ServiceCredentials: Sendable, Equatable {
    /// A credential that is read when the service starts.
    public struct LoadedCredential: Sendable, Equatable {
        /// The name of the credential; for a directory, the prefix of the names of its credentials.
        public let name: String
        /// An absolute path, or the name of a file in a credential store.
        public let source: String
        /// Whether the credential is encrypted, so that the stores of encrypted credentials are searched, too.
        public let isEncrypted: Bool

        /// Creates a credential that is read from a file, a directory or a socket.
        public init(_ name: String, from source: String, isEncrypted: Bool = false) {
            (self.name, self.source, self.isEncrypted) = (name, source, isEncrypted)
        }
    }

    /// Whether a credential reaches the service.
    public enum Availability: Sendable, Equatable {
        /// The credential reaches the service, or whether it does cannot be known here.
        case passed
        /// The unit names a source that does not exist.
        case missing(String, isEncrypted: Bool = false)
        /// The unit does not name the credential.
        case unnamed
    }

    /// `LoadCredential=` and `LoadCredentialEncrypted=`.
    public var loaded: [LoadedCredential] = []
    /// The names of `SetCredential=` and `SetCredentialEncrypted=`.
    public var set: [String] = []
    /// The names and patterns of `ImportCredential=`.
    public var imported: [String] = []

    /// Creates the credentials of a unit that passes none.
    public init() {}

    /// The names of the credentials, without those that patterns and directories give.
    public var names: [String] { loaded.map(\.name) + set }

    /// The directories in which the service manager searches for a credential that has no path.
    private static let stores = [
        "/run/credentials/@system", "/run/credentials/@encrypted", "/etc/credstore", "/run/credstore",
        "/usr/local/lib/credstore", "/usr/lib/credstore",
    ]
    private static let encryptedStores = [
        "/etc/credstore.encrypted", "/run/credstore.encrypted", "/usr/local/lib/credstore.encrypted",
        "/usr/lib/credstore.encrypted",
    ]

    /// Whether the credential with a name reaches the service.
    ///
    /// - Parameter isMissing: returns whether there is certainly no file at a path.
    public func passing(
        of name: String, isMissing: (String) -> Bool = { BytePath(text: $0).isMissing }
    ) -> Availability {
        // `SetCredential=` is the fallback for `LoadCredential=`, so it is enough alone.
        if set.contains(name) || imported.contains(where: { fnmatch($0, name, 0) == 0 }) { return .passed }
        let sources = loaded.filter { $0.name == name }
        guard let first = sources.first else {
            // The files of a directory have its name, a '_' and their own name.
            let files = loaded.filter { $0.source.hasPrefix("/") && name.hasPrefix("\($0.name)_") }
                .map { (path: "\($0.source)/\(name.dropFirst($0.name.count + 1))", isEncrypted: $0.isEncrypted) }
            guard let file = files.first else { return .unnamed }
            return files.allSatisfy { isMissing($0.path) }
                ? .missing(file.path, isEncrypted: file.isEncrypted) : .passed
        }
        let isFound = sources.contains { loaded in
            let places =
                loaded.source.hasPrefix("/")
                ? [loaded.source]
                : (Self.stores + (loaded.isEncrypted ? Self.encryptedStores : [])).map { "\($0)/\(loaded.source)" }
            return places.contains { !isMissing($0) }
        }
        return isFound ? .passed : .missing(first.source, isEncrypted: first.isEncrypted)
    }
}
