/// How a request says who is asking. What is secret shows in no description.
///
/// It is sent to the server that the request names, and to no other that this one redirects to.
public enum HTTPAuthentication: Sendable, Hashable {
    /// A user name and a password.
    case basic(user: String, password: HTTPSecret)
    /// A token.
    case bearer(HTTPSecret)
}

/// Something secret, or where it stands.
public enum HTTPSecret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The secret itself.
    case text(String)
    /// The content of the file at this path, without the line ends at its end. It is read anew for each request, so
    /// that a secret may be changed while the program runs.
    case file(String)

    /// The path, or three asterisks in place of the secret.
    public var description: String {
        switch self {
        case .text: "***"
        case .file(let path): path
        }
    }

    /// No more than the description.
    public var customMirror: Mirror {
        Mirror(reflecting: description)
    }
}
