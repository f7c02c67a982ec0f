import Foundation
import LoopbackServer
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct HTTPTLSTests {
    private let nginx: Nginx

    init() throws {
        nginx = try Nginx.shared.get()
    }

    private func request(
        _ server: String, _ path: String = "/", _ adjust: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPRequest {
        var request = HTTPRequest(
            try nginx.url(server, path), tls: HTTPTLS(authorities: nginx.folder + "/ca.crt"))
        adjust(&request)
        return request
    }

    /// Opening or reading such a file would occupy libcurl's thread for ever.
    @Test(arguments: ["pipe", "directory", "huge", "/dev/zero"]) func unsuitableFilesAreRefused(name: String)
        async throws
    {
        let folder = Folder()
        let path = name.hasPrefix("/") ? name : folder(name)
        switch name {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "directory": #expect(mkdir(path, 0o700) == 0)
        case "huge":
            #expect(FileManager.default.createFile(atPath: path, contents: nil) && truncate(path, 1 << 40) == 0)
        default: break
        }
        let client = HTTPClient()
        let sound = nginx.folder + "/client.crt"
        for adjust: (inout HTTPTLS) -> Void in [
            { $0.authorities = path }, { $0.identity = .init(certificate: path, key: sound) },
            { $0.identity = .init(certificate: sound, key: path) },
        ] {
            let outcome = try await client.outcome(of: try request("good", "/") { adjust(&$0.tls) }).value
            #expect(outcome.error?.code == .credential && outcome.error?.mentions("'\(path)'") == true)
        }
        #expect(try await client.outcome(of: try request("good")).value.ok)
    }

    private typealias Case = (
        server: String, code: HTTPError.Code?, words: String, adjust: (inout HTTPRequest) -> Void
    )

    /// Checks each response: `words` is the body of a success, and a part of the message of an error.
    private func check(_ cases: [Case]) async throws {
        for (server, code, words, adjust) in cases {
            let outcome = try await HTTPClient().outcome(of: try request(server, "/", adjust)).value
            #expect(
                outcome.error?.code == code,
                "\(server), \(words): \(outcome.error?.message ?? outcome.body.text)")
            if let error = outcome.error {
                #expect(error.mentions(words), "\(server): \(error.message)")
            } else {
                #expect(outcome.body.text == words, "\(server)")
            }
        }
    }

    @Test func bestCommonVersionIsNegotiated() async throws {
        try await check([
            ("good", nil, "HTTP/2.0 TLSv1.3 ", { _ in }),
            ("good", nil, "HTTP/1.1 TLSv1.3 ", { $0.version = .http11 }),
            ("good", nil, "HTTP/2.0 TLSv1.3 ", { $0.version = .http2 }),
            ("good", nil, "HTTP/2.0 TLSv1.3 ", { $0.tls.minimum = .tls13 }),
            ("tls12", nil, "HTTP/2.0 TLSv1.2 ", { _ in }),
            ("tls12", .tls, "", { $0.tls.minimum = .tls13 }),
        ])
    }

    @Test func serverCertificateIsVerified() async throws {
        let folder = nginx.folder
        let port = try nginx.port("good")
        try await check([
            ("good", nil, "HTTP/2.0 TLSv1.3 ", { $0.url = "https://127.0.0.1:\(port)/" }),
            ("good", .certificate, "", { $0.tls.authorities = folder + "/selfsigned.crt" }),
            ("good", .certificate, "", { $0.tls.authorities = nil }),
            ("good", .tls, "/nonexistent", { $0.tls.authorities = "/nonexistent" }),
            ("selfsigned", .certificate, "self-signed", { _ in }),
            ("selfsigned", nil, "HTTP/2.0 TLSv1.3 ", { $0.tls.verification = .none }),
            ("selfsigned", nil, "HTTP/2.0 TLSv1.3 ", { $0.tls.authorities = folder + "/selfsigned.crt" }),
            ("expired", .certificate, "expired", { _ in }),
            ("expired", nil, "HTTP/2.0 TLSv1.3 ", { $0.tls.verification = .none }),
            ("wronghost", .certificate, "localhost", { _ in }),
            (
                "wronghost", nil, "HTTP/2.0 TLSv1.3 ",
                {
                    $0.url = "https://elsewhere.example/"
                    $0.route.addresses = [
                        "elsewhere.example:443:127.0.0.1:\((try? nginx.port("wronghost")) ?? 0)"
                    ]
                }
            ),
        ])
    }

    @Test func clientCertificateIsSent() async throws {
        let identity = HTTPTLS.Identity(
            certificate: nginx.folder + "/client.crt", key: nginx.folder + "/client.key")
        let locked = HTTPTLS.Identity(
            certificate: nginx.folder + "/client.crt", key: nginx.folder + "/client-locked.key",
            password: .text("secret"))
        var wrong = locked
        wrong.password = .text("wrong")
        var other = identity
        other.key = nginx.folder + "/good.key"
        try await check([
            ("identity", .status, "400", { _ in }),
            ("identity", nil, "HTTP/2.0 TLSv1.3 CN=client", { $0.tls.identity = identity }),
            ("identity", nil, "HTTP/2.0 TLSv1.3 CN=client", { $0.tls.identity = locked }),
            ("identity", .tls, "", { $0.tls.identity = wrong }),
            ("identity", .tls, "", { $0.tls.identity = other }),
            (
                "identity", .tls, "",
                { $0.tls.identity = .init(certificate: "/nonexistent", key: "/nonexistent") }
            ),
        ])
    }

    @Test func connectionIsNotReusedForOtherTLSSettings() async throws {
        let client = HTTPClient()
        let careless = try request("selfsigned") { $0.tls.verification = .none }
        #expect(try await client.outcome(of: careless).value.ok)
        let outcome = try await client.outcome(of: try request("selfsigned")).value
        #expect(outcome.error?.code == .certificate)

        let identity = HTTPTLS.Identity(
            certificate: nginx.folder + "/client.crt", key: nginx.folder + "/client.key")
        #expect(
            try await client.outcome(of: try request("identity") { $0.tls.identity = identity }).value.ok)
        #expect(try await client.outcome(of: try request("identity")).value.status == 400)
    }

    @Test func certificateIsReportedAndRemembered() async throws {
        let client = HTTPClient()
        let first = try await client.outcome(of: try request("good")).value
        let certificate = try #require(first.certificate)
        #expect(certificate.subject.contains("localhost") && certificate.subject.contains("Example"))
        #expect(certificate.issuer.contains("Test authority"))
        #expect(certificate.expires == Date(timeIntervalSince1970: 2_056_597_567))
        #expect(certificate.chainExpires == certificate.expires)
        #expect(first.timing.tls > .zero)

        // There is no handshake on a reused connection, and no connection without a response.
        let second = try await client.outcome(of: try request("good")).value
        #expect(second.timing.tls == .zero && second.certificate == certificate)
        let third = try await client.outcome(of: try request("good") { $0.limits.body = 1 }).value
        #expect(third.error?.code == .bodyLimit && third.certificate == certificate)

        // Without verification, an expired certificate is reported, too.
        let expired = try await client.outcome(
            of: try request("expired") { $0.tls.verification = .none }
        ).value
        #expect(expired.certificate?.expires == Date(timeIntervalSince1970: 1_577_923_200))
        #expect(try await client.outcome(of: HTTPRequest(try nginx.url())).value.certificate == nil)
    }

    @Test func concurrentRequestsShareHTTP2Connection() async throws {
        let client = HTTPClient(limits: .init(connectionsPerHost: 1))
        #expect(try await client.outcome(of: try request("good")).value.ok)
        let responses = Cell<[HTTPResponse]>([])
        let bag = DisposeBag()
        let page = try request("good", "/pages/long")
        for _ in 0..<200 {
            client.response(to: page).subscribe {
                if case .success(let response) = $0 { responses.append(response) }
            }
            .disposed(by: bag)
        }
        try await eventually("all requests have ended") { responses.value.count == 200 }
        #expect(responses.value.allSatisfy { $0.version == "2" && $0.body.count == 20_000 })
        #expect(responses.value.allSatisfy { $0.timing.connect == .zero })
    }
}
