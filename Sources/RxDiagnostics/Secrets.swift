import RxJSON

/// The credentials of a configuration, so that the daemon writes none of them.
///
/// A text that contains one is shown with `${credential:NAME}` in its place, as it is written in the configuration. The
/// credential and each of its lines are searched for as they are, percent-encoded, escaped in JSON, and in base64, also
/// in lines. The copies of one value share the secrets that requests read while the configuration runs.
package struct Secrets: Sendable {
    /// Keeps the credentials known: every part of a running configuration retains it.
    package final class Lease: Sendable {}

    /// Keeps a secret known that a request is sent with: the request retains it.
    package final class Use: Sendable {}

    private var forms = SecretForms()
    /// The secrets that requests read, of this configuration and of those that were added.
    private var read = [ReadSecrets()]
    /// Whether requests read secrets while the configuration runs.
    package var mayGrow = false
    /// The names of credentials that only the service can read.
    private var unknownNames: Set<String> = []
    /// `nil` if this copy does not keep the credentials known.
    package private(set) var lease: Lease? = Lease()

    /// Creates an empty set of credentials.
    package init() {}

    /// Whether there are no credentials, and no request will add one.
    package var isEmpty: Bool { forms.isEmpty && !mayGrow }

    /// A copy that does not keep the credentials known.
    package var withoutLease: Secrets {
        var copy = self
        copy.lease = nil
        return copy
    }

    /// A copy without the secrets that requests read.
    package var withoutRequestSecrets: Secrets {
        var copy = self
        copy.mayGrow = false
        return copy
    }

    /// Adds a credential, and each of its lines.
    package mutating func insert(_ secret: String, named name: String) {
        forms.insert(secret, shownAs: Self.reference(to: name))
    }

    /// Adds credentials. A text that is in both keeps its replacement in this value.
    package mutating func insert(_ others: Secrets) {
        forms.insert(others.forms)
        guard others.mayGrow else { return }
        mayGrow = true
        read += others.read
    }

    /// Adds a secret that a request is about to be sent with, to this value and all of its copies.
    ///
    /// - Parameters:
    ///   - secret: the secret. Spaces around it are not searched for, since a server may remove them.
    ///   - origin: identifies the file, or the location in the configuration. Only the latest secrets of each are known.
    ///   - shown: the replacement.
    /// - Returns: keeps the secret known while it is retained.
    package func add(_ secret: String, from origin: String, shownAs shown: String) -> Use {
        let trimmed = secret.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        return read[0].add(String(trimmed), from: origin, shownAs: shown)
    }

    /// Adds a credential whose value is unknown in this process.
    ///
    /// - Returns: its placeholder. An error about that is not an error of the configuration.
    package mutating func insert(unknown name: String) -> String {
        unknownNames.insert(name)
        return Self.reference(to: name)
    }

    /// The placeholders of credentials that only the service can read.
    package var unknown: [String] { unknownNames.sorted().map(Self.reference) }

    /// A warning about a credential that cannot be hidden; `nil` if it can.
    package static func warning(about secret: String, named name: String) -> String? {
        guard SecretForms.isTooShort(secret) else { return nil }
        return "the credential '\(name)' has fewer than \(SecretForms.shortest) bytes, so records and output show it: "
            + "use a longer one"
    }

    /// Whether a message is about the placeholder of an unknown credential.
    func isAboutUnknown(_ message: String) -> Bool {
        guard !unknownNames.isEmpty else { return false }
        var rest = message[...]
        while let start = rest.firstRange(of: Self.opening) {
            rest = rest[start.upperBound...]
            // A name may contain braces in pairs.
            var depth = 1
            let name = rest.prefix { character in
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                return depth > 0
            }
            if unknownNames.contains(String(name)) { return true }
        }
        return false
    }

    /// Returns the text with every credential replaced.
    package func redacted(_ text: String) -> String {
        isEmpty ? text : redaction.redacted(text)
    }

    /// Returns the beginning of a text with every credential replaced, also one that is cut at its end.
    ///
    /// Up to three bytes of a cut credential remain.
    package func redacted(beginning text: String) -> String {
        isEmpty ? text : redaction.redacted(beginning: text)
    }

    /// Returns the value with every credential replaced, in keys and in texts.
    package func redacted(_ value: JSON) -> JSON {
        isEmpty ? value : redaction.redacted(value)
    }

    private var redaction: Redaction {
        Redaction(tables: ([forms] + (mayGrow ? read.map(\.forms) : [])).filter { !$0.isEmpty })
    }

    private static let opening = "${credential:"

    private static func reference(to name: String) -> String { "\(opening)\(name)}" }
}
