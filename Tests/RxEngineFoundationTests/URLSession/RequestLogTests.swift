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

    @Test(
        arguments: [
            ("https://user:secret@a.example/x", "https://user:…@a.example/x"),
            ("https://user:se:cr%40et@a.example:8080/x?y=z", "https://user:…@a.example:8080/x?y=z"),
            ("https://:secret@a.example", "https://:…@a.example"),
            ("https://user@a.example:8080/", "https://user@a.example:8080/"),
            ("https://a.example:8080/b:c@d?e:f@g#h:i@j", "https://a.example:8080/b:c@d?e:f@g#h:i@j"),
            ("mailto:a@b.example", "mailto:a@b.example"),
        ])
    func passwordOfAddressIsNotWritten(address: String, shown: String) throws {
        let request = URLRequest(url: try #require(URL(string: address)))
        #expect(request.curlCommand == "curl -X GET '\(shown)'")
    }

    /// The session's error repeats the address of a refused connection.
    @Test func passwordOfAddressIsNotWrittenWithError() async throws {
        let log = CapturedLog(of: { _ in true })
        let port = try RawServer { _ in }.port
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(port)/"))
        let subscription = session.rx.data(request: URLRequest(url: url)).subscribe(onError: { _ in })
        try await eventually("the request is logged") { log.lines.value.count == 1 }
        subscription.dispose()
        session.invalidateAndCancel()
        let line = try #require(log.lines.value.first)
        #expect(line.contains("\nfailed after ") && !line.contains("secret"), "\(line)")
    }

    @Test func debugBuildLogsAllRequests() throws {
        let request = URLRequest(url: try #require(URL(string: "https://a.example/")))
        #if DEBUG
        #expect(URLSession.rx.shouldLogRequest(request))
        #else
        #expect(!URLSession.rx.shouldLogRequest(request))
        #endif
    }

    @Test func cancelledRequestIsLogged() async throws {
        let log = CapturedLog(of: { _ in true })
        let isOver = DispatchSemaphore(value: 0)
        let server = try RawServer { peer in
            _ = peer.request()
            isOver.wait()
        }
        let session = URLSession(configuration: .ephemeral)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let subscription = session.rx.data(request: URLRequest(url: url)).subscribe()
        try await eventually("the request is sent") { server.requests.value.count == 1 }
        subscription.dispose()
        try await eventually("the request is logged") { log.lines.value.count == 1 }
        isOver.signal()
        session.invalidateAndCancel()
        #expect(log.lines.value.first?.contains("\ncancelled after ") == true, "\(log.lines.value)")
    }

    /// What a session may report without an HTTP response.
    @Test(arguments: [
        (true, "not an HTTP response: "), (false, "the session reported neither a response nor an error"),
    ])
    func outcomeWithoutHTTPIsError(hasResponse: Bool, message: String) throws {
        let log = CapturedLog(of: { _ in true })
        let url = try #require(URL(string: "file:///x"))
        let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        let errors = Cell<[String]>([])
        let reported = hasResponse ? response : nil
        Observable<(response: HTTPURLResponse, data: Data)>.source { sink in
            ResponseDelivery(to: sink, of: URLRequest(url: url)).finish(reported.map { _ in Data() }, reported, nil)
            return Disposables.create()
        }
        .subscribe(onError: { error in errors.append((error as? RxURLError)?.debugDescription ?? "\(error)") })
        .dispose()
        #expect(errors.value.count == 1 && errors.value.first?.hasPrefix(message) == true, "\(errors.value)")
        #expect(log.lines.value.count == 1)
        #expect(log.lines.value.first?.contains("\nno HTTP response after ") == true, "\(log.lines.value)")
    }

    /// The lines that are logged of selected requests, until this object is released.
    private final class CapturedLog {
        let lines = Cell<[String]>([])
        private let (filter, output) = (URLSession.rx.shouldLogRequest, RequestLog.output.withLock { $0 })

        init(of selected: @escaping @Sendable (URLRequest) -> Bool) {
            RequestLog.output.withLock { [lines] output in output = { lines.append($0) } }
            URLSession.rx.shouldLogRequest = selected
        }

        deinit {
            URLSession.rx.shouldLogRequest = filter
            RequestLog.output.withLock { [output] in $0 = output }
        }
    }

    /// An object that reads the filter while it is deallocated.
    private final class Reader: Sendable {
        let isDeallocated: Cell<Bool>

        init(_ isDeallocated: Cell<Bool>) { self.isDeallocated = isDeallocated }

        deinit {
            _ = URLSession.rx.shouldLogRequest
            isDeallocated.update { $0 = true }
        }
    }

    @Test func replacedFilterIsReleasedOutsideLock() async throws {
        let isDeallocated = Cell(false)
        let filter = URLSession.rx.shouldLogRequest
        URLSession.rx.shouldLogRequest = { [reader = Reader(isDeallocated)] _ in withExtendedLifetime(reader) { false }
        }
        // On a thread of its own, so that a deadlock fails this test.
        let thread = TestSupport.Thread { URLSession.rx.shouldLogRequest = filter }
        try await eventually("the filter is released") { isDeallocated.value }
        if isDeallocated.value { thread.join() }
    }

    @Test func selectedRequestsAreLogged() async throws {
        let log = CapturedLog(of: { $0.url?.path != "/quiet" })
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
        let line = try #require(log.lines.value.first)
        #expect(log.lines.value.count == 1)
        #expect(line.hasPrefix("curl -X GET '\(server.url("/loud"))'\nstatus 201 after ") && line.hasSuffix(" ms"))
    }
}
