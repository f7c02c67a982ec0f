import RxDiagnostics
import RxLinux

/// The way that requests take, and who asks: what the source and the sink have in common.
struct HTTPConnectionOptions: Sendable {
    private let authentication: HTTPAuthentication?
    private let tls: HTTPTLS
    private let route: HTTPRoute
    private let connectTimeout: Duration?

    /// Reads its keys, each of which may be left out.
    static func read(_ fields: inout Fields, _ report: Report) -> HTTPConnectionOptions {
        HTTPConnectionOptions(
            authentication: authentication(&fields, report), tls: tls(&fields, report), route: route(&fields),
            connectTimeout: fields.optional("connectTimeout", .duration(.milliseconds(1) ... .seconds(86_400))))
    }

    /// Sends a request this way.
    func apply(to request: inout HTTPRequest) {
        request.authentication = authentication
        request.tls = tls
        request.route = route
        if let connectTimeout { request.limits.connect = connectTimeout }
    }

    private static func authentication(_ fields: inout Fields, _ report: Report) -> HTTPAuthentication? {
        let token = fields.optional("bearerFile", .path("/run/credentials/rxwatchd.service/token"))
        let user = fields.optional("user", .string("a name", example: "monitor"))
        let password = fields.optional("password", .string("a text", example: "\"${credential:password}\""))
        let file = fields.optional("passwordFile", .path("/run/credentials/rxwatchd.service/password"))
        if fields.breaks(.atMostOne(["bearerFile", "user"])) != nil {
            report.add(
                "'bearerFile' and 'user' are two ways to say who asks; give one", at: fields.location(of: "user"))
        }
        if fields.breaks(.atMostOne(["password", "passwordFile"])) != nil {
            report.add(
                "'password' and 'passwordFile' are two places for one password; give one",
                at: fields.location(of: "passwordFile"))
        }
        for key in ["password", "passwordFile"] where fields.breaks(.needs(key, "user")) != nil {
            report.add("'\(key)' is of nobody; give 'user' too", at: fields.location(of: key))
        }
        if let token { return .bearer(.file(token)) }
        return user.map { .basic(user: $0, password: file.map(HTTPSecret.file) ?? .text(password ?? "")) }
    }

    private static func tls(_ fields: inout Fields, _ report: Report) -> HTTPTLS {
        var tls = HTTPTLS(authorities: fields.optional("ca", .path("/etc/ssl/site/ca.pem")))
        let certificate = fields.optional("certificate", .path("/etc/ssl/site/client.pem"))
        let key = fields.optional("key", .path("/etc/ssl/site/client.key"))
        if fields.breaks(.needs("key", "certificate")) != nil {
            report.add("'key' is of no certificate; give 'certificate' too", at: fields.location(of: "key"))
        }
        // Both may be in one file.
        tls.identity = certificate.map { HTTPTLS.Identity(certificate: $0, key: key ?? $0) }
        tls.minimum = fields.optional("minimumTLS", .choice([("TLSv1.2", .tls12), ("TLSv1.3", .tls13)])) ?? tls.minimum
        if fields.optional("verify", .bool) == false { tls.verification = .none }
        return tls
    }

    private static func route(_ fields: inout Fields) -> HTTPRoute {
        var route = HTTPRoute()
        let families: [(String, HTTPRoute.Family)] = [("any", .any), ("ipv4", .ipv4), ("ipv6", .ipv6)]
        route.family = fields.optional("family", .choice(families)) ?? route.family
        route.proxy = fields.optional("proxy", .proxy) ?? route.proxy
        route.socket = fields.optional("socket", .path("/run/docker.sock"))
        return route
    }
}

extension FieldType where Value == String {
    fileprivate static func path(_ example: String) -> Self { string("a path", example: example) }
}

extension FieldType where Value == HTTPRoute.Proxy {
    /// `http://proxy.example:3128`, or `none`.
    fileprivate static var proxy: Self {
        let schemes = ["http://", "https://", "socks4://", "socks4a://", "socks5://", "socks5h://"]
        let text = FieldType<String>.string(
            "a proxy", example: "http://proxy.example:3128",
            pattern: #"^none$|^([hH][tT][tT][pP][sS]?|[sS][oO][cC][kK][sS](4[aA]?|5[hH]?))://|\$\{"#)
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let proxy = text.read(node, context) else { return nil }
            if proxy == "none" { return HTTPRoute.Proxy.none }
            if schemes.contains(where: proxy.lowercased().hasPrefix) { return .through(proxy) }
            context.report.add(
                "\(node.described) is no proxy: it begins with http://, https:// or socks5h://, or is 'none'",
                at: node.location)
            return nil
        }
    }
}
