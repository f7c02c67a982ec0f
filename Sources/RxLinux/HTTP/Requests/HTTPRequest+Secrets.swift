extension HTTPRequest {
    /// The secrets that are written in the URL, the URL of the proxy, and header fields.
    var writtenSecrets: [String] {
        let proxy: String? = if case .through(let proxy, _) = route.proxy { proxy } else { nil }
        return [url, proxy].compactMap { $0.flatMap(Self.secret) } + headers.flatMap(\.secrets)
    }

    /// Whether ``writtenSecrets`` may have one of this URL, which may be a template.
    package static func mayHaveSecret(url: String) -> Bool { url.contains("@") || url.contains("{{") }

    /// The shortest user without a password that counts as a token. A shorter one is a name.
    private static let shortestToken = 16

    /// The password in a URL, or the user if there is none: a token may be written there.
    private static func secret(of url: String) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return nil }
        let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let user = parts[0].utf8.count >= shortestToken ? parts[0] : nil
        let written = parts.count == 2 && !parts[1].isEmpty ? parts[1] : user
        return written.map { $0.percentDecoded ?? String($0) }
    }
}

extension HTTPHeaders {
    /// The least length of the secret in a field of one's own. A shorter value may be a common word.
    fileprivate static let shortestSecret = 8

    /// Whether the value of a field of this name is a credential.
    ///
    /// It is a field that HTTP has for them, or its name is usual for one, such as `X-Api-Key`, `Private-Token` or
    /// `Cookie`.
    package static func isCredential(_ name: String) -> Bool { isAuthorization(name) || isOwnCredential(name) }

    fileprivate static func isAuthorization(_ name: String) -> Bool {
        ["authorization", "proxy-authorization"].contains(name.lowercased())
    }

    private static func isOwnCredential(_ name: String) -> Bool {
        let words = Set(name.lowercased().split { $0 == "-" || $0 == "_" })
        let secrets: Set<Substring> = [
            "apikey", "auth", "authentication", "authorization", "cookie", "credential", "credentials", "password",
            "secret", "signature", "token",
        ]
        let keys: Set<Substring> = [
            "access", "account", "admin", "api", "app", "application", "functions", "insert", "integration", "license",
            "master", "private", "subscription",
        ]
        return !words.isDisjoint(with: secrets) || words.contains("key") && !words.isDisjoint(with: keys)
    }
}

extension HTTPHeaders.Field {
    /// The credentials in the value, without the name of the method before them, or the names of cookies.
    fileprivate var secrets: [String] {
        if HTTPHeaders.isAuthorization(name) {
            return value.split(separator: " ", maxSplits: 1).last.map { [String($0)] } ?? []
        }
        guard HTTPHeaders.isCredential(name) else { return [] }
        let parts = name.lowercased() == "cookie" ? value.split(separator: ";").map(\.valueOfCookie) : [value[...]]
        return parts.filter { $0.utf8.count >= HTTPHeaders.shortestSecret }.map(String.init)
    }
}

extension Substring {
    fileprivate var valueOfCookie: Substring { firstIndex(of: "=").map { self[index(after: $0)...] } ?? self }

    /// The text with the bytes that `%XX` stands for; `nil` if these are not UTF-8.
    fileprivate var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let text = Substring(digits).asHexadecimal {
                bytes.append(text)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private var asHexadecimal: UInt8? { allSatisfy(\.isHexDigit) ? UInt8(self, radix: 16) : nil }
}
