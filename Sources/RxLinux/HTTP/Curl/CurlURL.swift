import CCurl
import Glibc

/// A URL as libcurl parses it.
struct CurlURL {
    /// The whole URL.
    let text: String
    /// The scheme in lower case.
    let scheme: String
    /// The host in lower case; a name in the form that is looked up.
    let host: String
    /// The port, or the scheme's default port; `nil` if there is none.
    let port: Int?
    /// Whether the URL contains the port.
    let hasPort: Bool
    /// The user and the password as written.
    private let user, password: String?

    /// Parses `text`, relative to `base`; returns `nil` if it is not a URL.
    ///
    /// - Parameters:
    ///   - text: the URL.
    ///   - base: the URL that `text` may be relative to.
    ///   - guessesScheme: whether the scheme may be missing.
    init?(_ text: String, from base: String? = nil, guessesScheme: Bool = false) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        if let base, curl_url_set(handle, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
        let guess = guessesScheme ? CURLU_GUESS_SCHEME : 0
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | guess)
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            let whole = Self.part(CURLUPART_URL, of: handle), let scheme = Self.part(CURLUPART_SCHEME, of: handle)
        else { return nil }
        self.text = whole
        self.scheme = scheme.lowercased()
        let host = Self.part(CURLUPART_HOST, of: handle, CURLU_PUNYCODE) ?? Self.part(CURLUPART_HOST, of: handle)
        self.host = (host ?? "").lowercased()
        port = Self.part(CURLUPART_PORT, of: handle, CURLU_DEFAULT_PORT).flatMap { Int($0) }
        user = Self.part(CURLUPART_USER, of: handle)
        password = Self.part(CURLUPART_PASSWORD, of: handle)
        hasPort = Self.part(CURLUPART_PORT, of: handle) != nil
    }

    /// Whether the URL has the server of `other`, with the same scheme or with TLS in place of plain HTTP.
    func isServer(of other: CurlURL) -> Bool {
        let isUpgrade = (other.scheme, other.port, scheme, port) == ("http", 80, "https", 443)
        return host == other.host && ((scheme, port) == (other.scheme, other.port) || isUpgrade)
    }

    /// The URL with the user and the password of `other`, unless it has its own.
    func text(withUserOf other: CurlURL) -> String {
        guard user == nil, let otherUser = other.user, let handle = curl_url() else { return text }
        defer { curl_url_cleanup(handle) }
        let isSet =
            curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK
            && curl_url_set(handle, CURLUPART_USER, otherUser, 0) == CURLUE_OK
            && other.password.map { curl_url_set(handle, CURLUPART_PASSWORD, $0, 0) == CURLUE_OK } ?? true
        return isSet ? Self.part(CURLUPART_URL, of: handle) ?? text : text
    }

    /// Whether its host is an IP address.
    var isNumeric: Bool {
        if host.hasPrefix("[") { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
