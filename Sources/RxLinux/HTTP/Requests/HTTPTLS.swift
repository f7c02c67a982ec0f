/// How a connection is secured.
public struct HTTPTLS: Sendable, Hashable {
    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2.
        case tls12
        /// TLS 1.3.
        case tls13
    }

    /// What the server's certificate is checked for.
    public enum Verification: Sendable, Hashable {
        /// That it leads to an authority that is trusted, is in its time and names the server.
        case full
        /// Nothing: whoever answers is believed, and whoever stands between can read and change everything.
        case none
    }

    /// A certificate by which a program shows who it is.
    public struct Identity: Sendable, Hashable {
        /// The path of the certificate, in PEM, and those that lead to its authority.
        public var certificate: String
        /// The path of its key, in PEM.
        public var key: String
        /// What the key is encrypted with.
        public var password: HTTPSecret?

        /// The certificate and the key in these files.
        public init(certificate: String, key: String, password: HTTPSecret? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }
    }

    /// The path of the certificates, in PEM, of the authorities that are trusted; `nil` for those of the system.
    public var authorities: String?
    /// What the server is shown if it asks for a certificate.
    public var identity: Identity?
    /// The oldest version that will do.
    public var minimum: Version
    /// What the server's certificate is checked for.
    public var verification: Verification

    /// Secured as everyone should: see the properties.
    public init(
        authorities: String? = nil, identity: Identity? = nil, minimum: Version = .tls12,
        verification: Verification = .full
    ) {
        self.authorities = authorities
        self.identity = identity
        self.minimum = minimum
        self.verification = verification
    }
}
