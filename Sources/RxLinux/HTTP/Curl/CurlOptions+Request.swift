import CCurl
import RxEngine

extension CurlOptions {
    /// Sets the options of a request. Options that it does not name keep libcurl's default, which verifies
    /// certificates.
    ///
    /// - Returns: the lists that must outlive the transfer.
    mutating func set(_ prepared: PreparedRequest, _ hop: HTTPHop, userAgent: String) -> [CurlList] {
        let request = prepared.request
        set(CURLOPT_URL, hop.url)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // libcurl would send a server's credentials to any server that it redirects to.
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_NOSIGNAL, true)
        // Cancelling a transfer must not wait for the resolver's thread, which may be busy for minutes.
        set(CURLOPT_QUICK_EXIT, true)
        set(CURLOPT_USERAGENT, userAgent)
        if request.compressed { set(CURLOPT_ACCEPT_ENCODING, "") }
        set(request.version)
        setMethod(hop)
        // Zero would mean no limit; the received bytes are counted as well.
        if request.limits.body > 0, request.needsBody { set(CURLOPT_MAXFILESIZE_LARGE, size: request.limits.body) }
        if hop.isOwn { setAuthentication(prepared) }
        let addresses = set(request.route)
        set(request.tls)
        if hop.isOwn { setIdentity(prepared) }
        set(CURLOPT_CERTINFO, true)
        let fields = headers(of: hop, prepared)
        if fields.first != nil { set(CURLOPT_HTTPHEADER, fields) }
        return [fields, addresses]
    }

    private func headers(of hop: HTTPHop, _ prepared: PreparedRequest) -> CurlList {
        let request = prepared.request
        var headers = hop.isOwn ? Array(request.headers) + Array(prepared.conditions) : []
        // The fields that describe the body are dropped with it.
        if hop.body == nil, request.body != nil { headers.removeAll { $0.name.begins(with: "content-") } }
        let fields = CurlList()
        let has = HTTPHeaders(headers)
        if hop.body != nil, has["Content-Type"] == nil { fields.append("Content-Type:") }
        // Otherwise a large body would wait a second for servers that do not support this header.
        if hop.body != nil, has["Expect"] == nil { fields.append("Expect:") }
        for field in headers {
            fields.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return fields
    }

    private mutating func set(_ version: HTTPRequest.Version) {
        switch version {
        case .automatic: set(CURLOPT_HTTP_VERSION, rx_curl_http_2_tls)
        case .http11: set(CURLOPT_HTTP_VERSION, rx_curl_http_1_1)
        case .http2: set(CURLOPT_HTTP_VERSION, rx_curl_http_2)
        case .http2AtOnce: set(CURLOPT_HTTP_VERSION, rx_curl_http_2_at_once)
        }
    }

    private mutating func setMethod(_ hop: HTTPHop) {
        if let body = hop.body {
            // The size first, so that the copy does not end at a NUL.
            set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            body.withUnsafeBytes { bytes in
                // An empty body has no address, and without one libcurl would read the body from a callback.
                var none: UInt8 = 0
                withUnsafeMutablePointer(to: &none) { none in
                    set(CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? .init(none))
                }
            }
            if hop.method != "POST" { set(CURLOPT_CUSTOMREQUEST, hop.method) }
        } else if hop.method == "HEAD" {
            set(CURLOPT_NOBODY, true)
        } else if hop.method == "POST" {
            set(CURLOPT_POST, true)
            set(CURLOPT_POSTFIELDSIZE_LARGE, size: 0)
            set(CURLOPT_COPYPOSTFIELDS, "")
        } else if hop.method != "GET" {
            set(CURLOPT_CUSTOMREQUEST, hop.method)
        }
    }

    private mutating func setAuthentication(_ prepared: PreparedRequest) {
        switch prepared.request.authentication {
        case .basic(let user, _):
            set(CURLOPT_HTTPAUTH, rx_curl_auth_basic)
            set(CURLOPT_USERNAME, user)
            set(CURLOPT_PASSWORD, prepared.secret ?? "")
        case .bearer:
            set(CURLOPT_HTTPAUTH, rx_curl_auth_bearer)
            set(CURLOPT_XOAUTH2_BEARER, prepared.secret ?? "")
        case nil: break
        }
    }

    /// - Returns: the list that must outlive the transfer.
    private mutating func set(_ route: HTTPRoute) -> CurlList {
        switch route.family {
        case .any: break
        case .ipv4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
        if let socket = route.socket {
            set(CURLOPT_PROXY, "")
            if socket.hasPrefix("@") {
                set(CURLOPT_ABSTRACT_UNIX_SOCKET, String(socket.dropFirst()))
            } else {
                set(CURLOPT_UNIX_SOCKET_PATH, socket)
            }
        } else {
            switch route.proxy {
            case .environment: break
            case .none: set(CURLOPT_PROXY, "")
            case .through(let proxy, let exceptions):
                set(CURLOPT_PROXY, proxy)
                set(CURLOPT_NOPROXY, exceptions.joined(separator: ","))
            }
        }
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        if let interface = route.interface { set(CURLOPT_INTERFACE, interface) }
        if route.connection == .fresh {
            set(CURLOPT_FRESH_CONNECT, true)
            set(CURLOPT_FORBID_REUSE, true)
        }
        let addresses = CurlList()
        // Not CURLOPT_RESOLVE, which would apply to every request of this client.
        for address in route.addresses { addresses.append(address) }
        if !route.addresses.isEmpty { set(CURLOPT_CONNECT_TO, addresses) }
        return addresses
    }

    private mutating func set(_ tls: HTTPTLS) {
        switch tls.minimum {
        case .tls12: set(CURLOPT_SSLVERSION, rx_curl_tls_1_2)
        case .tls13: set(CURLOPT_SSLVERSION, rx_curl_tls_1_3)
        }
        if tls.verification == .none {
            set(CURLOPT_SSL_VERIFYPEER, false)
            set(CURLOPT_SSL_VERIFYHOST, false)
        }
        // A server that resumes a session does not send its certificate, which may have changed.
        set(CURLOPT_SSL_SESSIONID_CACHE, false)
        // A renewed authority is to be trusted soon; libcurl's default caches it for a day.
        set(CURLOPT_CA_CACHE_TIMEOUT, 60)
        if let authorities = tls.authorities ?? SystemAuthorities.path {
            set(CURLOPT_CAINFO, authorities)
            set(CURLOPT_PROXY_CAINFO, authorities)
        }
    }

    private mutating func setIdentity(_ prepared: PreparedRequest) {
        guard let identity = prepared.request.tls.identity else { return }
        set(CURLOPT_SSLCERT, identity.certificate)
        set(CURLOPT_SSLKEY, identity.key)
        if let keyPassword = prepared.keyPassword { set(CURLOPT_KEYPASSWD, keyPassword) }
    }
}
