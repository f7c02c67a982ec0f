import ConfigTestSupport
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// The requests of sources delay no sink.
@Suite(.balanced) struct HTTPShareTests {
    /// Runs sources that poll `address` permanently beside a sink, until the sink has sent some requests.
    private func run(polling address: (Int) -> String, by client: HTTPClient) async throws {
        let server = try SinkServer(answer(200))
        let sources = (0..<40).map { "s\($0): { http: { url: '\(address($0))', every: 1s, proxy: none } }" }
        let names = (0..<40).map { "s\($0)" }
        let config = """
            sources: { tick: { interval: 20ms }, \(sources.joined(separator: ", ")) }
            pipelines:
              p: { from: tick, to: [http: '\(server.url)'] }
              q: { merge: [\(names.joined(separator: ", "))], to: [stdout] }
            """
        let outcomes = Cell<[String]>([])
        var graph: Graph? = Graph(
            try Plan.read(config.utf8, file: "t.yaml"), generation: { 1 }, host: Host(http: client),
            records: SinkRecords(Cell([])),
            printLine: { line, receipt in
                outcomes.append(line)
                receipt.end(.written)
            }, makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in }
        try await eventually("the sink sends", within: .seconds(20)) {
            outcomes.value.count >= 40 && server.requests.value.count >= 20
        }
        #expect(outcomes.value.allSatisfy { $0.contains(#""ok":false"#) && $0.contains(#""code":"timeout""#) })
        let times = server.requests.value.map(\.at)
        // Each request would wait for a server or a lookup that takes a second. A busy machine delays one or two so long.
        #expect(zip(times.dropFirst(), times).count { $0 - $1 >= .seconds(1) } <= 2, "\(times)")
        graph?.dispose()
        graph = nil
    }

    /// Servers that accept a connection and never answer take all slots of the sources.
    @Test func hungEndpointsDoNotDelaySinks() async throws {
        let (listener, port) = try SinkServer.listen(backlog: 1024)
        defer { close(listener) }
        try await run(polling: { "http://127.0.0.1:\(port)/\($0)" }, by: HTTPClient(limits: .init(concurrency: 2)))
    }

    /// Name servers that never answer.
    @Test func hungNameLookupsDoNotDelaySinks() async throws {
        let isOver = Cell(false)
        defer { isOver.update { $0 = true } }
        let client = HTTPClient(limits: .init(lookups: 2)) { _ in
            while !isOver.value { poll(nil, 0, 1) }
            return .failure(HostName.Failure("it is over", isTemporary: true))
        }
        try await run(polling: { "http://host\($0).example/" }, by: client)
    }
}
