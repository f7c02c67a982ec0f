import Dispatch
import Foundation
import LoopbackServer
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Hung servers do not delay requests to other servers.
@Suite(.balanced) struct HTTPStarvationTests {
    private func hung() throws -> RawServer {
        try RawServer { peer in
            peer.request()
            peer.waitForEnd()
        }
    }

    /// Starts `count` requests, and returns their outcomes as they arrive.
    private func start(
        _ count: Int, of request: HTTPRequest, _ client: HTTPClient, _ bag: DisposeBag
    ) -> Cell<[HTTPOutcome]> {
        let outcomes = Cell<[HTTPOutcome]>([])
        for _ in 0..<count {
            client.outcome(of: request).subscribe(onSuccess: { outcome in outcomes.append(outcome) }).disposed(by: bag)
        }
        return outcomes
    }

    /// The time in the queue counts as a part of the total time.
    @Test func queuedRequestTimesOut() async throws {
        let hung = try hung()
        let client = HTTPClient(limits: .init(concurrency: 1))
        let bag = DisposeBag()
        let first = start(1, of: HTTPRequest(hung.url(), limits: HTTPLimits(total: .seconds(60))), client, bag)
        try await eventually("it is running") { hung.requests.value.count == 1 }
        let limits = HTTPLimits(total: .milliseconds(500))
        let time = try await seconds {
            let outcome = try await client.outcome(of: HTTPRequest(hung.url(), limits: limits)).value
            #expect(outcome.error?.code == .timeout && outcome.error?.mentions("no free connection within") == true)
            #expect(outcome.timing.waited >= .milliseconds(100) && outcome.timing.total == .zero)
        }
        #expect(time < 5 && first.value.isEmpty && hung.requests.value.count == 1)
        // The time in the queue shortens the time of the transfer.
        let later = start(1, of: HTTPRequest(hung.url(), limits: HTTPLimits(total: .milliseconds(400))), client, bag)
        try await eventually("the queued request has timed out") { later.value.count == 1 }
        #expect(later.value.first?.error?.code == .timeout)
    }

    /// The wait for a connection, at libcurl's own limit, counts as well.
    @Test func requestWaitingForConnectionTimesOut() async throws {
        let hung = try hung()
        let client = HTTPClient(limits: .init(connectionsPerHost: 1))
        let bag = DisposeBag()
        _ = start(1, of: HTTPRequest(hung.url(), limits: HTTPLimits(total: .seconds(60))), client, bag)
        try await eventually("it is running") { hung.requests.value.count == 1 }
        let outcome = try await client.outcome(
            of: HTTPRequest(hung.url(), limits: HTTPLimits(total: .milliseconds(150)))
        ).value
        #expect(outcome.error?.code == .timeout && hung.requests.value.count == 1)
    }

    @Test func hungServerIsLimitedToItsSlots() async throws {
        let hung = try hung()
        let good = try RawServer.answering(ok("fine"))
        let client = HTTPClient(limits: .init(concurrency: 8, concurrencyPerServer: 4))
        let bag = DisposeBag()
        _ = start(50, of: HTTPRequest(hung.url(), limits: HTTPLimits(total: .seconds(60))), client, bag)
        try await eventually("it has its slots") { hung.requests.value.count == 4 }
        for _ in 0..<20 {
            let request = HTTPRequest(good.url(), limits: HTTPLimits(total: .seconds(5)))
            #expect(try await client.outcome(of: request).value.ok)
        }
        #expect(hung.maximumOpen.value == 4)
    }

    /// Unfinished bodies, each below its own limit.
    @Test func bodiesShareMemoryLimit() async throws {
        let piece = String(repeating: "x", count: 300_000)
        let slow = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n" + piece)
            peer.waitForEnd()
        }
        let good = try RawServer.answering(ok("fine"))
        let large = try RawServer.answering(ok(piece))
        let client = HTTPClient(limits: .init(received: 1 << 20))
        var bag = DisposeBag()
        // There is memory for three.
        let outcomes = start(4, of: HTTPRequest(slow.url(), limits: HTTPLimits(total: .seconds(60))), client, bag)
        try await eventually("one has failed") { outcomes.value.count == 1 }
        #expect(outcomes.value.first?.error?.code == .resources)
        #expect(outcomes.value.first?.error?.mentions("there is no memory for the response") == true)
        func get(_ server: RawServer) async throws -> HTTPOutcome {
            try await client.outcome(of: HTTPRequest(server.url(), limits: HTTPLimits(total: .seconds(20)))).value
        }
        #expect(try await get(good).ok, "a small body always has room")
        #expect(try await get(large).error?.code == .resources)
        bag = DisposeBag()
        try await eventually("the slow responses have ended") { slow.open.value == 0 }
        for _ in 0..<5 { #expect(try await get(large).ok) }
        #expect(outcomes.value.count == 1)
    }

    /// Responses that wait for a busy scheduler count until they are delivered.
    @Test func waitingResponsesShareMemoryLimit() async throws {
        let body = String(repeating: "x", count: 300_000)
        let server = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n" + body)
            // Until the client has read it.
            peer.waitForEnd()
        }
        let client = HTTPClient(limits: .init(received: 1 << 20))
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "rx.test")
        let (isBusy, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        _ = scheduler.schedule(()) {
            isBusy.signal()
            go.wait()
            return Disposables.create()
        }
        isBusy.wait()
        let outcomes = Cell<[HTTPOutcome]>([])
        let bag = DisposeBag()
        for number in 1...4 {
            client.outcome(of: HTTPRequest(server.url()), on: scheduler, onSecret: nil)
                .subscribe(onSuccess: { outcomes.append($0) }).disposed(by: bag)
            try await eventually("the request is answered") {
                server.requests.value.count == number && server.open.value == 0
            }
        }
        go.signal()
        try await eventually("all are delivered") { outcomes.value.count == 4 }
        #expect(outcomes.value.map(\.ok) == [true, true, true, false])
        #expect(outcomes.value.last?.error?.code == .resources)
        #expect(try await client.outcome(of: HTTPRequest(server.url())).value.ok)
    }

    /// Unfinished headers, each below its own limit.
    @Test func headersShareMemoryLimit() async throws {
        let fields = String(repeating: "Name: \(String(repeating: "x", count: 1000))\r\n", count: 100)
        let slow = try RawServer { peer in
            peer.request()
            peer.send("HTTP/1.1 200 OK\r\n" + fields)
            peer.waitForEnd()
        }
        let client = HTTPClient(limits: .init(received: 400_000))
        var bag = DisposeBag()
        // There is memory for three.
        let outcomes = start(4, of: HTTPRequest(slow.url(), limits: HTTPLimits(total: .seconds(60))), client, bag)
        try await eventually("one has failed") { outcomes.value.count == 1 }
        #expect(outcomes.value.first?.error?.code == .resources)
        bag = DisposeBag()
        try await eventually("the slow responses have ended") { slow.open.value == 0 }
        #expect(outcomes.value.count == 1)
    }

    /// More servers than there are slots hang repeatedly.
    @Test func manyHungServersLeaveSlotsToOthers() async throws {
        let hung = try hung()
        let good = try RawServer.answering(ok("fine"))
        let client = HTTPClient(limits: .init(concurrency: 8, concurrencyPerServer: 4))
        let bag = DisposeBag()
        func sendAll(_ total: Duration) -> Cell<[HTTPOutcome]> {
            let outcomes = Cell<[HTTPOutcome]>([])
            for number in 0..<20 {
                let request = HTTPRequest(
                    hung.url(host: "hung\(number).example"), limits: HTTPLimits(total: total),
                    route: HTTPRoute(addresses: ["::127.0.0.1:"]))
                client.outcome(of: request).subscribe(onSuccess: { outcome in outcomes.append(outcome) })
                    .disposed(by: bag)
            }
            return outcomes
        }
        for _ in 0..<3 {
            let first = sendAll(.milliseconds(400))
            try await eventually("they have timed out") { first.value.count == 20 }
            #expect(first.value.allSatisfy { $0.error?.code == .timeout })
        }
        let before = hung.requests.value.count
        _ = sendAll(.seconds(60))
        // Servers that hung before have half of the slots; servers that never got a slot have the others until they
        // hang.
        try await eventually("they hang") { hung.requests.value.count >= before + 4 }
        for _ in 0..<20 {
            let request = HTTPRequest(good.url(), limits: HTTPLimits(total: .seconds(10)))
            #expect(try await client.outcome(of: request).value.ok)
        }
    }

    /// Servers without a history may take all slots until they hang.
    @Test func newlyHungServersGiveSlotsToOthers() async throws {
        let hung = try hung()
        let good = try RawServer.answering(ok("fine"))
        let client = HTTPClient(limits: .init(concurrency: 8, concurrencyPerServer: 4))
        let bag = DisposeBag()
        var outcomes: [Cell<[HTTPOutcome]>] = []
        for number in 0..<8 {
            let request = HTTPRequest(
                hung.url(host: "hung\(number).example"), limits: HTTPLimits(total: .seconds(60)),
                route: HTTPRoute(addresses: ["::127.0.0.1:"]))
            outcomes.append(start(1, of: request, client, bag))
        }
        try await eventually("they have all slots") { hung.requests.value.count == 8 }
        for _ in 0..<3 {
            let request = HTTPRequest(good.url(), limits: HTTPLimits(total: .seconds(10)))
            #expect(try await client.outcome(of: request).value.ok)
        }
        #expect(outcomes.allSatisfy { $0.value.isEmpty }, "they continue")
    }

    /// A timeout soon after a long time in the queue says nothing about the server.
    @Test func timeInQueueDoesNotCountAsHanging() async throws {
        let error = HTTPError(.timeout, "")
        for (limits, hangs) in [
            (HTTPLimits(total: .seconds(60)), 2.0), (HTTPLimits(total: .seconds(1)), 0.5),
            (HTTPLimits(connect: .milliseconds(100)), 0.05),
        ] {
            let transfer = Transfer(
                try PreparedRequest(HTTPRequest("http://127.0.0.1/", limits: limits), conditions: [:])
            ) { _, _ in }
            #expect(transfer.slot == nil)
            var queue = FairQueue<Substring, Transfer>(limit: 1, limitPerKey: 1, limitOfSlowKeys: 1)
            queue.add(transfer, for: transfer.server)
            let next = queue.next()
            let before = MonotonicClock.now
            transfer.hold(try #require(next?.slot))
            let hangTime = transfer.hangTime - UInt64(hangs * 1e9)
            #expect(hangTime >= before && hangTime <= MonotonicClock.now)
            #expect(transfer.hasHung(.failure(error), hangs: false) == nil)
            #expect(transfer.hasHung(nil, hangs: false) == nil)
            #expect(transfer.hasHung(.failure(HTTPError(.reset, "")), hangs: false) == false)
            #expect(transfer.hasHung(.failure(error), hangs: true) == true)
            #expect(transfer.hasHung(nil, hangs: true) == true)
            #expect(transfer.hasHung(.success(HTTPResponse(status: 200)), hangs: true) == false)
        }
    }

    /// The message about a cancelled request may arrive after the queue has skipped the request.
    @Test func cancelledQueuedRequestFreesNoSlot() async throws {
        let hung = try hung()
        let loop = try CurlLoop.started(.init(concurrency: 1), userAgent: "test", NameResolver(maximum: 1))
        defer { loop.stop() }
        let ended = Cell(0)
        func start(_ total: Duration = .seconds(60)) throws -> Transfer {
            let request = HTTPRequest(hung.url(), limits: HTTPLimits(total: total))
            let transfer = Transfer(try PreparedRequest(request, conditions: [:])) { _, _ in ended.update { $0 += 1 } }
            loop.start(transfer)
            return transfer
        }
        let first = try start()
        try await eventually("the first has the slot") { hung.requests.value.count == 1 }
        let cancelled = try start()
        _ = try start(.milliseconds(50))
        try await eventually("the third request has timed out in the queue") { ended.value == 1 }
        #expect(cancelled.abandon())
        let second = try start()
        loop.cancel(first)
        try await eventually("the second has the slot") { hung.requests.value.count == 2 }
        loop.cancel(cancelled)
        _ = try start(.milliseconds(300))
        try await eventually("the last has timed out") { ended.value == 2 }
        #expect(hung.accepted.value == 2, "it had no slot")
        loop.cancel(second)
    }

    /// So a server's new address and new certificate take effect.
    @Test func connectionsAreReplacedAfterLifetime() async throws {
        let server = try RawServer.answering(ok("fine"))
        let client = HTTPClient(limits: .init(connectionLife: .seconds(1)))
        let request = HTTPRequest(server.url())
        let begin = ContinuousClock.now
        #expect(try await client.outcome(of: request).value.ok)
        let outcomes = Cell<[HTTPOutcome]>([])
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let subscription = client.poll(HTTPPoll(request, every: .milliseconds(20)), scheduler: scheduler)
            .subscribe(onNext: { outcomes.append($0) })
        try await eventually("the client has connected again") { server.accepted.value == 2 }
        subscription.dispose()
        #expect(ContinuousClock.now - begin >= .milliseconds(900))
        #expect(outcomes.value.allSatisfy { $0.ok })
    }

    /// A server's new certificate is reported with the next connection.
    @Test func newCertificateIsReported() async throws {
        let nginx = try Nginx.shared.get()
        let ports = Cell(try nginx.port("good"))
        let proxy = try RawServer { peer in
            guard peer.request() != nil else { return }
            peer.send("HTTP/1.1 200 OK\r\n\r\n")
            peer.connect(to: ports.value)
        }
        let client = HTTPClient(limits: .init(connectionLife: .seconds(1)))
        let request = HTTPRequest(
            "https://localhost:1/", route: HTTPRoute(proxy: .through(proxy.url(""))),
            tls: HTTPTLS(verification: .none))
        let first = try await client.outcome(of: request).value
        #expect(first.certificate?.subject.contains("Example") == true, "\(first.error?.message ?? "")")
        ports.update { $0 = (try? nginx.port("wronghost")) ?? 0 }
        let last = Cell<HTTPOutcome?>(nil)
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "test")
        let subscription = client.poll(HTTPPoll(request, every: .milliseconds(20)), scheduler: scheduler)
            .subscribe(onNext: { outcome in last.update { $0 = outcome } })
        try await eventually("the other certificate is reported") {
            last.value?.certificate?.subject.contains("elsewhere") == true
        }
        subscription.dispose()
    }

    /// Connections to servers do not use the last quarter of the descriptors.
    @Test func connectionsLeaveLastQuarterOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            await warmUpDispatch()
            let hung = try RawServer { peer in
                peer.request()
                peer.waitForEnd()
            }
            var limit = openFilesLimit
            limit.rlim_cur = 256
            openFilesLimit = limit
            let client = HTTPClient(limits: .init(concurrency: 1000, concurrencyPerServer: 1000))
            let bag = DisposeBag()
            let outcomes = Cell<[HTTPOutcome]>([])
            for _ in 0..<500 {
                client.outcome(of: HTTPRequest(hung.url(), limits: HTTPLimits(total: .seconds(60))))
                    .subscribe(onSuccess: { outcome in outcomes.append(outcome) }).disposed(by: bag)
            }
            // Both ends of a connection are in this process.
            try await eventually("connections are made") { hung.open.value >= 60 }
            try #require(hung.open.value <= 64)
            let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
            try #require(next >= 0 && next < 240)
        }
    }
}
