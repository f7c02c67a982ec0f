import CCurl
import Glibc

/// The file of the certificates of authorities that the system trusts.
enum SystemAuthorities {
    /// Where distributions keep it: Debian, Fedora, openSUSE, Alpine.
    private static let knownPaths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// The path of the file; `nil` if it is libcurl's own, or if there is none.
    ///
    /// A libcurl that was built for one distribution looks for it there, also on another.
    static var path: String? {
        let ofCurl = curl_version_info(CURLVERSION_SEVENTH).pointee.cainfo.map { String(cString: $0) }
        return path(ofCurl: ofCurl, known: knownPaths)
    }

    static func path(ofCurl: String?, known: [String]) -> String? {
        if let ofCurl, access(ofCurl, R_OK) == 0 { return nil }
        return known.first { access($0, R_OK) == 0 }
    }
}
