import FoundationEssentials

/// The certificate that a server has shown.
public struct HTTPCertificate: Sendable, Hashable {
    /// Whose it is, such as `C = US, O = Example, CN = www.example.com`.
    public let subject: String
    /// Who says so.
    public let issuer: String
    /// When it expires.
    public let expires: Date
    /// When the first of those expires that the server has shown along with it, itself included.
    public let chainExpires: Date

    /// A certificate.
    public init(subject: String, issuer: String, expires: Date, chainExpires: Date) {
        self.subject = subject
        self.issuer = issuer
        self.expires = expires
        self.chainExpires = chainExpires
    }
}
