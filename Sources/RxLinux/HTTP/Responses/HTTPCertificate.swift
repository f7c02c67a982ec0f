import FoundationEssentials

/// The certificate of a server.
public struct HTTPCertificate: Sendable, Hashable {
    /// The subject, such as `C = US, O = Example, CN = www.example.com`.
    public let subject: String
    /// The issuer.
    public let issuer: String
    /// The expiry date.
    public let expires: Date
    /// The earliest expiry date of the certificates that the server has sent, including this one.
    public let chainExpires: Date

    /// Creates a certificate.
    public init(subject: String, issuer: String, expires: Date, chainExpires: Date) {
        self.subject = subject
        self.issuer = issuer
        self.expires = expires
        self.chainExpires = chainExpires
    }
}
