import ConfigTestSupport
import RxLinux
import Testing

@testable import RxPipelines

/// Tests of the keys of a request.
struct HTTPConnectionOptionsTests {
    private func request(_ more: String) throws -> HTTPRequest {
        let context = ReadingContext()
        let node = try yaml("{ url: 'http://a/', every: 1s\(more) }")
        let source = try #require(HTTPSource.read(node, context) as? HTTPSource)
        return source.request
    }

    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let change: @Sendable (inout HTTPRequest) -> Void

        init(_ description: String, _ change: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }) {
            self.description = description
            self.change = change
        }
    }

    private static let rows = [
        Row(""), Row(", verify: yes"), Row(", family: any"),
        Row(", bearerFile: /t") { $0.authentication = .bearer(.file("/t")) },
        Row(", user: u") { $0.authentication = .basic(user: "u", password: .text("")) },
        Row(", user: u, password: p") { $0.authentication = .basic(user: "u", password: .text("p")) },
        Row(", user: u, passwordFile: /p") { $0.authentication = .basic(user: "u", password: .file("/p")) },
        Row(", ca: /ca") { $0.tls.authorities = "/ca" },
        Row(", certificate: /c, key: /k") { $0.tls.identity = HTTPTLS.Identity(certificate: "/c", key: "/k") },
        Row(", certificate: /c") { $0.tls.identity = HTTPTLS.Identity(certificate: "/c", key: "/c") },
        Row(", minimumTLS: TLSv1.3") { $0.tls.minimum = .tls13 },
        Row(", minimumTLS: TLSv1.2") { $0.tls.minimum = .tls12 },
        Row(", verify: no") { $0.tls.verification = .none },
        Row(", family: ipv4") { $0.route.family = .ipv4 },
        Row(", family: ipv6") { $0.route.family = .ipv6 },
        Row(", proxy: 'http://p:3128'") { $0.route.proxy = .through("http://p:3128") },
        Row(", proxy: none") { $0.route.proxy = .none },
        Row(", socket: /run/docker.sock") { $0.route.socket = "/run/docker.sock" },
        Row(", redirects: 3") { $0.limits.redirects = 3 },
        Row(", redirects: 0") { $0.limits.redirects = 0 },
        Row(", connectTimeout: 250ms") { $0.limits.connect = .milliseconds(250) },
    ]

    @Test(arguments: rows) func keysSetConnectionOptions(row: Row) throws {
        var expected = HTTPRequest("http://a/")
        expected.limits.total = .seconds(1)
        expected.limits.body = 1 << 20
        row.change(&expected)
        #expect(try request(row.description) == expected)
    }
}
