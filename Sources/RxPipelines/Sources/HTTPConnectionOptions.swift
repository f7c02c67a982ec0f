import RxDiagnostics
import RxLinux

/// The connection and authentication settings that the source and the sink share.
struct HTTPConnectionOptions: Sendable {
    private let authentication: HTTPAuthentication?
    private let tls: HTTPTLS
    private let route: HTTPRoute
    private let connectTimeout: Duration?
    private let redirects: Int?

    /// Reads the keys, all of which are optional.
    static func read(_ fields: inout FieldReader, _ report: Report) -> HTTPConnectionOptions {
        HTTPConnectionOptions(
            authentication: authentication(&fields, report), tls: tls(&fields, report), route: route(&fields),
            connectTimeout: fields.optional(
                "connectTimeout", .duration(.milliseconds(1) ... .seconds(86_400)),
                "The limit for name lookup, connecting and TLS handshake; default: 10s"),
            redirects: fields.optional("redirects", .int(0...100), "How many redirects are followed; default: 10"))
    }

    /// Applies the settings to a request.
    func apply(to request: inout HTTPRequest) {
        request.authentication = authentication
        request.tls = tls
        request.route = route
        if let connectTimeout { request.limits.connect = connectTimeout }
        if let redirects { request.limits.redirects = redirects }
    }

    private static func authentication(_ fields: inout FieldReader, _ report: Report) -> HTTPAuthentication? {
        let token = fields.optional(
            "bearerFile", .path("/run/credentials/rxwatchd.service/token"),
            "A file with a bearer token, read for each request")
        let user = fields.optional(
            "user", .string("a name", example: "monitor"), "The user name for basic authentication")
        let password = fields.optional(
            "password", .string("a text", example: "\"${credential:password}\""), "The password of the user")
        let file = fields.optional(
            "passwordFile", .path("/run/credentials/rxwatchd.service/password"),
            "A file with the password of the user, read for each request")
        if fields.breaks(.atMostOne(["bearerFile", "user"])) != nil {
            report.add(
                "'bearerFile' and 'user' are two methods of authentication; remove one", at: fields.location(of: "user")
            )
        }
        if fields.breaks(.atMostOne(["password", "passwordFile"])) != nil {
            report.add(
                "'password' and 'passwordFile' exclude each other; remove one",
                at: fields.location(of: "passwordFile"))
        }
        for key in ["password", "passwordFile"] where fields.breaks(.needs(key, "user")) != nil {
            report.add("'\(key)' needs 'user'; add it", at: fields.location(of: key))
        }
        if [token, password, file].contains(where: { $0 != nil }) { report.secrets.mayGrow = true }
        if let token { return .bearer(.file(token)) }
        return user.map { .basic(user: $0, password: file.map(HTTPSecret.file) ?? .text(password ?? "")) }
    }

    private static func tls(_ fields: inout FieldReader, _ report: Report) -> HTTPTLS {
        var tls = HTTPTLS(
            authorities: fields.optional(
                "ca", .path("/etc/ssl/site/ca.pem"),
                "The certificate authorities to trust; default: those of the system"))
        let certificate = fields.optional("certificate", .path("/etc/ssl/site/client.pem"), "The client certificate")
        let key = fields.optional(
            "key", .path("/etc/ssl/site/client.key"),
            "The private key of the client certificate; default: in the same file")
        if fields.breaks(.needs("key", "certificate")) != nil {
            report.add("'key' needs 'certificate'; add it", at: fields.location(of: "key"))
        }
        // One file may contain both.
        tls.identity = certificate.map { HTTPTLS.Identity(certificate: $0, key: key ?? $0) }
        tls.minimum =
            fields.optional(
                "minimumTLS", .choice([("TLSv1.2", .tls12), ("TLSv1.3", .tls13)]),
                "The oldest version of TLS that is accepted; default: TLSv1.2") ?? tls.minimum
        if fields.optional("verify", .bool, "Whether the certificate of the server is verified; default: true") == false
        {
            tls.verification = .none
        }
        return tls
    }

    private static func route(_ fields: inout FieldReader) -> HTTPRoute {
        var route = HTTPRoute()
        let families: [(String, HTTPRoute.Family)] = [("any", .any), ("ipv4", .ipv4), ("ipv6", .ipv6)]
        route.family =
            fields.optional("family", .choice(families), "The family of addresses that is used; default: any")
            ?? route.family
        route.proxy =
            fields.optional(
                "proxy", .proxy, "The proxy, or none; default: the environment variables http_proxy and so on")
            ?? route.proxy
        route.socket = fields.optional(
            "socket", .path("/run/docker.sock", for: .connect), "The Unix socket that the server listens on")
        return route
    }
}

extension FieldType where Value == String {
    fileprivate static func path(_ example: String, for use: PathAccess = .read) -> Self {
        string("a path", example: example).used(use)
    }
}

extension FieldType where Value == HTTPRoute.Proxy {
    /// The URL of a proxy, such as `http://proxy.example:3128`, or `none`.
    fileprivate static var proxy: Self {
        let schemes = ["http://", "https://", "socks4://", "socks4a://", "socks5://", "socks5h://"]
        let text = FieldType<String>.string(
            "a proxy", example: "http://proxy.example:3128",
            pattern: #"^none$|^([hH][tT][tT][pP][sS]?|[sS][oO][cC][kK][sS](4[aA]?|5[hH]?))://|\$\{"#)
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let proxy = text.read(node, context) else { return nil }
            if proxy == "none" { return HTTPRoute.Proxy.none }
            if HTTPRequest.mayHaveSecret(url: proxy) { context.report.secrets.mayGrow = true }
            if schemes.contains(where: proxy.lowercased().hasPrefix) { return .through(proxy) }
            context.report.add(
                "'\(HTTPSyntax.shown(proxy, context.report))' is not a proxy: it must begin with http://, https:// or "
                    + "socks5h://, or is 'none'",
                at: node.location)
            return nil
        }
    }
}
