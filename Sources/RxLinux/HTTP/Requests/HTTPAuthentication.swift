/// The authentication of a request, whose description hides the secrets.
///
/// It is sent to the server of the request only, and not to others that this one redirects to.
public enum HTTPAuthentication: Sendable, Hashable {
    /// A user name and a password.
    case basic(user: String, password: HTTPSecret)
    /// A bearer token.
    case bearer(HTTPSecret)

    /// The password or the token.
    package var secret: HTTPSecret {
        switch self {
        case .basic(_, let password): password
        case .bearer(let token): token
        }
    }
}

/// A secret, or the file that contains it.
public enum HTTPSecret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The secret itself.
    case text(String)
    /// The content of the file at this path, without trailing line ends.
    ///
    /// It is read for each request, so that the secret may be changed while the program runs.
    case file(String)

    /// The path, or three asterisks in place of the secret.
    public var description: String {
        switch self {
        case .text: "***"
        case .file(let path): path
        }
    }

    /// A mirror of the description alone.
    public var customMirror: Mirror {
        Mirror(reflecting: description)
    }
}

/// Called with each secret of a request before the request is sent. The request retains the result until it ends.
package typealias HTTPSecretObserver = @Sendable (_ secret: HTTPSecret, _ content: String) -> any AnyObject & Sendable
