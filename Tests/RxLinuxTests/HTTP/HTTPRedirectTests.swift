import Foundation
import LoopbackServer
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// The requests that follow a redirect.
@Suite(.balanced) struct HTTPRedirectTests {
    /// A server that redirects every request.
    private func redirecting(_ status: Int, to url: String) throws -> RawServer {
        try .answering("HTTP/1.1 \(status) Moved\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n")
    }

    private func request(_ url: String, _ method: String, _ body: String?) -> HTTPRequest {
        HTTPRequest(
            url.replacingOccurrences(of: "http://", with: "http://user:inurl@"), method: method,
            headers: ["X-Token": "mine", "Cookie": "mine", "Content-Language": "mine"],
            body: body.map { Array($0.utf8) },
            limits: HTTPLimits(total: .seconds(8)))
    }

    /// Neither header fields, nor credentials, nor a body are sent to another server, such as another port.
    @Test(arguments: [301, 302, 303, 307, 308], [("GET", nil), ("POST", "a secret"), ("PUT", "a secret")])
    func redirectSendsNoSecretsToOtherServer(status: Int, method: (String, String?)) async throws {
        let other = try RawServer.answering(ok("other"))
        let server = try redirecting(status, to: other.url("/end"))
        let outcome = try await HTTPClient().outcome(of: request(server.url("/hook"), method.0, method.1)).value
        let first = try #require(server.requests.value.first)
        #expect(first.contains("X-Token: mine") && first.contains("Authorization: Basic"))
        if method.1 == nil || status == 303 {
            #expect(outcome.ok && outcome.body.text == "other")
            let sent = try #require(other.requests.value.first)
            #expect(sent.hasPrefix("GET /end HTTP/1.1\r\n"))
            for own in ["mine", "secret", "Authorization", "Content-", "/hook"] {
                #expect(!sent.contains(own), "\(sent)")
            }
        } else {
            #expect(outcome.error?.code == .redirects && outcome.status == nil)
            #expect(other.requests.value.isEmpty)
            let message = try #require(outcome.error?.message)
            #expect(message.hasPrefix("\(method.0) \(server.url("")): the server redirects to \(other.url(""))"))
            #expect(!message.contains("/end") && !message.contains("/hook") && !message.contains("inurl"))
        }
    }

    @Test(arguments: [
        (301, "POST", "POST"), (302, "PUT", "PUT"), (307, "POST", "POST"), (308, "PUT", "PUT"), (303, "POST", "GET"),
        (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (307, "HEAD", "HEAD"), (302, "DELETE", "DELETE"),
    ])
    func redirectToSameServerKeepsHeadersAndBody(status: Int, method: String, next: String) async throws {
        let server = try RawServer { peer in
            while let request = peer.request() {
                let isFirst = request.contains(" /first ")
                peer.send(
                    isFirst
                        ? "HTTP/1.1 \(status) Moved\r\nLocation: second?a=b c\r\nContent-Length: 0\r\n\r\n"
                        : request.hasPrefix("HEAD") ? "HTTP/1.1 200 OK\r\n\r\n" : ok("fine"))
            }
        }
        let hasBody = ["POST", "PUT"].contains(method)
        let request = request(server.url("/first"), method, hasBody ? "a body" : nil)
        let response = try await HTTPClient().response(to: request).value
        #expect(response.status == 200 && response.url == server.url("/second?a=b+c"))
        let sent = try #require(server.requests.value.last)
        #expect(sent.hasPrefix("\(next) /second?a=b+c HTTP/1.1\r\n"))
        #expect(sent.contains("X-Token: mine\r\n") && sent.contains("Authorization: Basic dXNlcjppbnVybA==\r\n"))
        #expect(sent.hasSuffix("\r\n\r\na body") == (hasBody && next == method))
        #expect(sent.contains("Content-Language") == (!hasBody || next == method))
        #expect(server.accepted.value == 1)
    }

    /// A redirect back to the first server does not send the credentials again.
    @Test func redirectBackSendsNoSecrets() async throws {
        let port = Cell(0)
        let other = try RawServer { peer in
            while peer.request() != nil {
                peer.send(
                    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port.value)/end\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let server = try RawServer { peer in
            while let request = peer.request() {
                peer.send(
                    request.contains(" /end ")
                        ? ok("back") : "HTTP/1.1 302 Found\r\nLocation: \(other.url())\r\nContent-Length: 0\r\n\r\n")
            }
        }
        port.update { $0 = server.port }
        let response = try await HTTPClient().response(to: request(server.url(), "GET", nil)).value
        #expect(response.body.text == "back")
        let sent = try #require(server.requests.value.last)
        #expect(!sent.contains("mine") && !sent.contains("Authorization"))
    }

    @Test func redirectFromTLSToPlainTextIsRefused() async throws {
        let nginx = try Nginx.shared.get()
        var request = HTTPRequest(
            try nginx.url("good", "/insecure"), tls: HTTPTLS(authorities: nginx.folder + "/ca.crt"))
        let outcome = try await HTTPClient().outcome(of: request).value
        #expect(outcome.error?.code == .redirects && !outcome.ok && outcome.status == nil)
        #expect(outcome.error?.mentions("from https to http://localhost:\(try nginx.port("other"))") == true)
        #expect(outcome.error?.mentions("secret-path") == false && outcome.certificate != nil)
        // A redirect from TLS to TLS is followed, without the client certificate.
        request.url = try nginx.url("good", "/identity")
        request.tls.identity = HTTPTLS.Identity(
            certificate: nginx.folder + "/client.crt", key: nginx.folder + "/client.key")
        #expect(try await HTTPClient().outcome(of: request).value.status == 400)
        // Without redirects, it is the response.
        request.url = try nginx.url("good", "/insecure")
        request.limits.redirects = 0
        #expect(try await HTTPClient().outcome(of: request).value.status == 302)
    }

    @Test func sameServerIsRecognized() {
        typealias Row = (from: String, to: String, isOwn: Bool)
        let rows: [Row] = [
            ("http://a/", "/b", true), ("http://a/", "http://a:80/b", true), ("http://A/", "http://a/b", true),
            ("http://a/", "https://a/b", true), ("http://a/", "https://a:443/", true), ("http://a/", "//a/x", true),
            ("http://a/", "https://a:444/", false), ("http://a:81/", "https://a/", false),
            ("http://a/", "http://b/", false), ("http://a/", "http://a:81/", false),
            ("http://a/", "http://a.b/", false),
            ("https://a/", "https://a:444/", false), ("https://a/", "//b/", false), ("http://a/", "http://a@b/", false),
        ]
        for (from, to, isOwn) in rows {
            let response = HTTPResponse(status: 302, headers: ["Location": to])
            let next = HTTPHop(HTTPRequest(from)).next(response, maximum: 1)
            #expect((try? next?.get())?.isOwn == isOwn, "\(from) \(to)")
        }
    }

    @Test(arguments: [
        (300, "/b"), (304, "/b"), (305, "/b"), (306, "/b"), (200, "/b"), (302, ""), (399, "/b"),
    ]) func otherResponsesAreNotFollowed(status: Int, location: String) {
        let response = HTTPResponse(status: status, headers: ["Location": location])
        #expect(HTTPHop(HTTPRequest("http://a/")).next(response, maximum: 9) == nil)
    }

    @Test func redirectsShareTimeLimitAndTiming() async throws {
        let server = try RawServer { peer in
            while peer.request() != nil {
                peer.wait(milliseconds: 40)
                guard peer.send("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n") else { return }
            }
        }
        var request = HTTPRequest(server.url(), limits: HTTPLimits(total: .milliseconds(300), redirects: 1000))
        let late = try await HTTPClient().outcome(of: request).value
        #expect(late.error?.code == .timeout, "\(late.error?.message ?? "")")
        request.limits = HTTPLimits(total: .seconds(8), redirects: 4)
        let ended = try await HTTPClient().outcome(of: request).value
        #expect(ended.error?.code == .redirects && ended.timing.total >= .milliseconds(200))
        #expect(ended.timing.firstByte <= ended.timing.total)
    }
}
