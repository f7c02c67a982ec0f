import Foundation
import FoundationNetworking
import LoopbackServer
import RxEngine
import TestSupport
import Testing

@testable import RxEngineFoundation

@Suite(.balanced, .serialized) struct RequestLogTests {
    @Test func requestIsWrittenAsCommandLine() throws {
        var request = URLRequest(url: try #require(URL(string: "https://a.example/x?y=it's")))
        #expect(request.curlCommand == #"curl -X GET 'https://a.example/x?y=it'\''s'"#)
        request.httpMethod = "POST"
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("id=secret", forHTTPHeaderField: "cookie")
        request.httpBody = Data("a 'b'".utf8)
        let command = request.curlCommand
        #expect(command.hasPrefix("curl -X POST 'https://a.example/x?y=it'\\''s' -H"))
        #expect(command.contains("-H 'Content-Type: text/plain'") && command.contains("Authorization: …"))
        #expect(command.hasSuffix(#" --data-binary 'a '\''b'\'''"#) && !command.contains("secret"))
        request.httpBody = Data([0xFF, 0xFE])
        #expect(request.curlCommand.hasSuffix("--data-binary '<2 bytes>'"))
    }

    @Test func selectedRequestsAreLogged() async throws {
        let lines = Cell<[String]>([])
        let (filter, output) = (URLSession.rx.shouldLogRequest, RequestLog.output.withLock { $0 })
        defer {
            URLSession.rx.shouldLogRequest = filter
            RequestLog.output.withLock { $0 = output }
        }
        RequestLog.output.withLock { $0 = { lines.append($0) } }
        URLSession.rx.shouldLogRequest = { $0.url?.path != "/quiet" }
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        let session = URLSession(configuration: .ephemeral)
        for path in ["/quiet", "/loud"] {
            let isOver = Cell(false)
            let request = URLRequest(url: try #require(URL(string: server.url(path))))
            let subscription = session.rx.data(request: request).subscribe(onDisposed: { isOver.update { $0 = true } })
            try await eventually("the request has ended") { isOver.value }
            subscription.dispose()
        }
        session.invalidateAndCancel()
        let line = try #require(lines.value.first)
        #expect(lines.value.count == 1)
        #expect(line.hasPrefix("curl -X GET '\(server.url("/loud"))'\nstatus 201 after ") && line.hasSuffix(" ms"))
    }
}
