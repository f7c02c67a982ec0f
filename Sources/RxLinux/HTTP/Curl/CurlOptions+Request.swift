import CCurl
import RxEngine

extension CurlOptions {
    /// Everything that a request says. What it leaves open is as libcurl has it, which checks certificates.
    ///
    /// - Returns: the lists that must outlive the transfer.
    mutating func set(_ prepared: PreparedRequest, userAgent: String) -> [CurlList] {
        let request = prepared.request
        set(CURLOPT_URL, request.url)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        set(CURLOPT_NOSIGNAL, true)
        // Giving a transfer up must not wait for the resolver's thread, which may be at it for minutes.
        set(CURLOPT_QUICK_EXIT, true)
        set(CURLOPT_USERAGENT, userAgent)
        if request.compressed { set(CURLOPT_ACCEPT_ENCODING, "") }
        set(request.version)
        setMethod(request)
        set(request.limits, needsBody: request.needsBody)
        setAuthentication(prepared)
        let addresses = set(request.route)
        set(request.tls, keyPassword: prepared.keyPassword)
        set(CURLOPT_CERTINFO, true)
        let fields = CurlList()
        if request.body != nil, request.headers["Content-Type"] == nil { fields.append("Content-Type:") }
        // Otherwise a large body would wait a second for servers that do not know what is expected of them.
        if request.body != nil, request.headers["Expect"] == nil { fields.append("Expect:") }
        for field in Array(request.headers) + Array(prepared.conditions) {
            fields.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if fields.first != nil { set(CURLOPT_HTTPHEADER, fields) }
        return [fields, addresses]
    }

    private mutating func set(_ version: HTTPRequest.Version) {
        switch version {
        case .automatic: set(CURLOPT_HTTP_VERSION, rx_curl_http_2_tls)
        case .http11: set(CURLOPT_HTTP_VERSION, rx_curl_http_1_1)
        case .http2: set(CURLOPT_HTTP_VERSION, rx_curl_http_2)
        case .http2AtOnce: set(CURLOPT_HTTP_VERSION, rx_curl_http_2_at_once)
        }
    }

    private mutating func setMethod(_ request: HTTPRequest) {
        if let body = request.body {
            // The size first, so that the copy does not end at a NUL.
            set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            body.withUnsafeBytes { bytes in
                // An empty body has no address, and none at all would mean that there is something to be read.
                var none: UInt8 = 0
                withUnsafeMutablePointer(to: &none) { none in
                    set(CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? .init(none))
                }
            }
            if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
        } else if request.method == "HEAD" {
            set(CURLOPT_NOBODY, true)
        } else if request.method == "POST" {
            set(CURLOPT_POST, true)
            set(CURLOPT_POSTFIELDSIZE_LARGE, size: 0)
            set(CURLOPT_COPYPOSTFIELDS, "")
        } else if request.method != "GET" {
            set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        // What was to be posted is posted wherever that has moved to, and never turned into a mere question.
        set(CURLOPT_POSTREDIR, rx_curl_keep_post)
    }

    private mutating func set(_ limits: HTTPLimits, needsBody: Bool) {
        set(CURLOPT_TIMEOUT_MS, limits.total)
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect)
        set(CURLOPT_FOLLOWLOCATION, limits.redirects > 0)
        set(CURLOPT_MAXREDIRS, max(0, min(limits.redirects, 1000)))
        // Zero would mean no limit; what comes is counted besides.
        if limits.body > 0, needsBody { set(CURLOPT_MAXFILESIZE_LARGE, size: limits.body) }
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
        // Not CURLOPT_RESOLVE, which would tell every request of this client.
        for address in route.addresses { addresses.append(address) }
        if !route.addresses.isEmpty { set(CURLOPT_CONNECT_TO, addresses) }
        return addresses
    }

    private mutating func set(_ tls: HTTPTLS, keyPassword: String?) {
        switch tls.minimum {
        case .tls12: set(CURLOPT_SSLVERSION, rx_curl_tls_1_2)
        case .tls13: set(CURLOPT_SSLVERSION, rx_curl_tls_1_3)
        }
        if tls.verification == .none {
            set(CURLOPT_SSL_VERIFYPEER, false)
            set(CURLOPT_SSL_VERIFYHOST, false)
        }
        // A server that is told of an earlier session does not show its certificate, which may be another by now.
        set(CURLOPT_SSL_SESSIONID_CACHE, false)
        // An authority that is renewed is to be trusted soon; libcurl would keep what it has read for a day.
        set(CURLOPT_CA_CACHE_TIMEOUT, 60)
        if let authorities = tls.authorities {
            set(CURLOPT_CAINFO, authorities)
            set(CURLOPT_PROXY_CAINFO, authorities)
        }
        guard let identity = tls.identity else { return }
        set(CURLOPT_SSLCERT, identity.certificate)
        set(CURLOPT_SSLKEY, identity.key)
        if let keyPassword { set(CURLOPT_KEYPASSWD, keyPassword) }
    }
}
