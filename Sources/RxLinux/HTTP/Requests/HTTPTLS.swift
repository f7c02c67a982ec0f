/// The TLS settings of a connection.
public struct HTTPTLS: Sendable, Hashable {
    /// A version of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2.
        case tls12
        /// TLS 1.3.
        case tls13
    }

    /// The verification of the server's certificate.
    public enum Verification: Sendable, Hashable {
        /// Verifies that a trusted authority issued it, that it is valid now and that it names the server.
        case full
        /// Verifies nothing: anyone on the network path can read and change everything.
        case none
    }

    /// A client certificate.
    public struct Identity: Sendable, Hashable {
        /// The path of the certificate, in PEM, with the intermediate certificates.
        public var certificate: String
        /// The path of the certificate's private key, in PEM.
        public var key: String
        /// The password of the private key.
        public var password: HTTPSecret?

        /// Creates a client certificate from these files.
        public init(certificate: String, key: String, password: HTTPSecret? = nil) {
            self.certificate = certificate
            self.key = key
            self.password = password
        }
    }

    /// The path of the trusted authorities' certificates, in PEM; `nil` for those of the system.
    public var authorities: String?
    /// The client certificate, which is sent if the server asks for one.
    public var identity: Identity?
    /// The oldest TLS version that is accepted.
    public var minimum: Version
    /// The verification of the server's certificate.
    public var verification: Verification

    /// Creates settings with secure defaults, except for the arguments.
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
