import Glibc

/// A name that libcurl would look up for a request, and its port.
struct NameToResolve: Sendable, Hashable {
    let host: HostName
    let port: Int

    /// The default port of a proxy.
    private static func proxyPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 1080 }

    /// The names of the server, of its proxy, or of both.
    static func all(for request: HTTPRequest, at url: String) -> [NameToResolve] {
        // libcurl looks up the names in addresses that the request sets itself.
        guard request.route.socket == nil, request.route.addresses.isEmpty, let server = CurlURL(url) else { return [] }
        let itself = NameToResolve(server, server.port, request)
        guard let proxy = request.route.proxy(for: server) else { return itself.map { [$0] } ?? [] }
        guard let parts = CurlURL(proxy, guessesScheme: true) else { return [] }
        let port = parts.hasPort ? parts.port : proxyPort(parts.scheme)
        // These proxies take the server's address, not its name.
        let needsAddress = ["socks4", "socks5"].contains(parts.scheme)
        return [NameToResolve(parts, port, request), needsAddress ? itself : nil].compactMap(\.self)
    }

    private init?(_ url: CurlURL, _ port: Int?, _ request: HTTPRequest) {
        // libcurl resolves "localhost" without a lookup.
        guard !url.isNumeric, !url.host.isEmpty, url.host != "localhost", let port else { return nil }
        host = HostName(url.host, request.route.family)
        self.port = port
    }

    /// The addresses in libcurl's format, which it caches until they expire.
    func entry(_ addresses: [String]) -> String {
        "+\(host.name):\(port):\(addresses.joined(separator: ","))"
    }
}

extension HTTPRoute {
    /// The proxy of a request to `server`, chosen as libcurl does; `nil` for a direct connection.
    fileprivate func proxy(for server: CurlURL) -> String? {
        switch proxy {
        case .none: return nil
        case .through(let proxy, let exceptions): return Self.isExcepted(server, exceptions) ? nil : proxy
        case .environment:
            // Lower case only: the environment of a server's CGI program has HTTP_PROXY from the client's header
            // `Proxy`.
            let names = server.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
            guard let proxy = Self.variable(names + ["all_proxy", "ALL_PROXY"]) else { return nil }
            let exceptions = Self.variable(["no_proxy", "NO_PROXY"]) ?? ""
            return Self.isExcepted(server, exceptions.split { $0 == "," || $0 == " " }.map(String.init))
                ? nil : proxy
        }
    }

    private static func isExcepted(_ server: CurlURL, _ exceptions: [String]) -> Bool {
        let host = server.host
        return exceptions.contains { exception in
            // The exception may be a network that contains this address. Networks are not evaluated here: libcurl looks up
            // the name of the proxy if it uses it.
            if exception == "*" || server.isNumeric { return true }
            let domain = exception.lowercased().drop { $0 == "." }
            return !domain.isEmpty && (host == domain || host.hasSuffix(".\(domain)"))
        }
    }

    private static func variable(_ names: [String]) -> String? {
        names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    }
}
