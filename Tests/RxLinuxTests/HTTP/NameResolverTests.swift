import Foundation
import LoopbackServer
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// A lookup that hangs for some names until `isOpen` is set, and records the names.
private final class SlowLookup: Sendable {
    let asked = Cell<[String]>([])
    let running = Cell(0)
    let maximumRunning = Cell(0)
    let isOpen = Cell(false)
    private let outcome: @Sendable (String) -> NameResolver.Outcome

    init(_ outcome: @escaping @Sendable (String) -> NameResolver.Outcome = { _ in .success(["127.0.0.1"]) }) {
        self.outcome = outcome
    }

    /// Blocks for names that begin with `hung`.
    @Sendable func callAsFunction(_ name: HostName) -> NameResolver.Outcome {
        asked.append(name.name)
        running.update { $0 += 1 }
        let now = running.value
        maximumRunning.update { $0 = max($0, now) }
        while name.name.hasPrefix("hung"), !isOpen.value { poll(nil, 0, 1) }
        running.update { $0 -= 1 }
        return outcome(name.name)
    }
}

@Suite(.balanced) struct NameResolverTests {
    private func request(_ host: String, _ server: RawServer, _ limits: HTTPLimits = HTTPLimits()) -> HTTPRequest {
        HTTPRequest(server.url(host: host), limits: limits, route: HTTPRoute(proxy: .none))
    }

    /// Endless lookups use a bounded number of threads, and concurrent requests for a name share one lookup.
    @Test func lookupsAreBounded() async throws {
        let lookup = SlowLookup()
        defer { lookup.isOpen.update { $0 = true } }
        let server = try RawServer.answering(ok("fine"))
        let client = HTTPClient(limits: .init(lookups: 4), lookup: lookup.callAsFunction)
        let before = descriptors()
        for round in 1...3 {
            let errors = Cell<[HTTPError?]>([])
            let times = Cell<[HTTPTiming]>([])
            let bag = DisposeBag()
            for number in 0..<300 {
                client.outcome(of: request("hung\(number).example", server, HTTPLimits(total: .milliseconds(600))))
                    .subscribe(onSuccess: { outcome in
                        times.append(outcome.timing)
                        errors.append(outcome.error)
                    }).disposed(by: bag)
            }
            try await eventually("all have failed: \(errors.value.count)") { errors.value.count == 300 }
            #expect(errors.value.allSatisfy { $0?.code == .timeout && $0?.mentions("no address was found") == true })
            #expect(times.value.allSatisfy { $0.dns >= .milliseconds(150) && $0.total == $0.dns && $0.waited == .zero })
            // Twice as many if they hang long enough.
            #expect((4...8).contains(lookup.running.value) && lookup.asked.value.count <= 8, "round \(round)")
        }
        #expect(descriptors() < before + 20)
        // When lookups answer, the queue continues; names without waiters are skipped.
        lookup.isOpen.update { $0 = true }
        #expect(try await client.outcome(of: request("hung7.example", server)).value.ok)
        #expect(lookup.maximumRunning.value <= 8 && lookup.asked.value.count <= 9)
    }

    /// A request that arrives while a name is about to be skipped, since no earlier request needs it, is answered.
    @Test func requestThatArrivesWhileNameIsSkippedIsAnswered() async throws {
        let lookup = SlowLookup()
        let resolver = NameResolver(maximum: 1, lookup: lookup.callAsFunction)
        let name = HostName("late", .any)
        let outcomes = Cell<[String]>([])
        let unwanted: @Sendable () -> Bool = {
            if outcomes.value.isEmpty {
                outcomes.append("asked")
                _ = resolver.addresses(of: name, isWanted: { true }) { _ in outcomes.append("answered") }
            }
            return false
        }
        _ = resolver.addresses(of: name, isWanted: unwanted) { _ in outcomes.append("answered, too") }
        try await eventually("the later request is answered") { outcomes.value.contains("answered") }
        #expect(lookup.asked.value == ["late"])
    }

    /// Names that hang at their first lookup leave threads to the others, and use a bounded number of them.
    @Test func newNamesThatHangLeaveThreadsToOthers() async throws {
        let lookup = SlowLookup()
        defer { lookup.isOpen.update { $0 = true } }
        let resolver = NameResolver(maximum: 4, hungAfter: .milliseconds(50), lookup: lookup.callAsFunction)
        let found = Cell(0)
        func lookUp(_ name: String) {
            _ = resolver.addresses(of: HostName(name, .any), isWanted: { true }) { _ in found.update { $0 += 1 } }
        }
        for number in 0..<4 { lookUp("hung\(number)") }
        try await eventually("they are being looked up") { lookup.running.value == 4 }
        lookUp("good")
        try await eventually("the other one is found") { found.value == 1 }
        for number in 4..<20 { lookUp("hung\(number)") }
        try await eventually("twice as many are being looked up") { lookup.running.value == 8 }
        #expect(lookup.maximumRunning.value == 8)
        lookup.isOpen.update { $0 = true }
        try await eventually("all are found: \(found.value)") { found.value == 21 }
    }

    /// Names whose last lookup hung leave threads to the others.
    @Test func hungNamesLeaveThreadsToOthers() async throws {
        let lookup = SlowLookup()
        defer { lookup.isOpen.update { $0 = true } }
        let now = Cell<UInt64>(0)
        let resolver = NameResolver(maximum: 4, lookup: lookup.callAsFunction, now: { now.value })
        let found = Cell(0)
        func lookUp(_ name: String) {
            _ = resolver.addresses(of: HostName(name, .any), isWanted: { true }) { _ in found.update { $0 += 1 } }
        }
        for number in 0..<4 { lookUp("hung\(number)") }
        try await eventually("they are being looked up") { lookup.running.value == 4 }
        // They take three seconds, and their addresses expire.
        now.update { $0 = 3_000_000_000 }
        lookup.isOpen.update { $0 = true }
        try await eventually("the lookups have ended") { found.value == 4 }
        lookup.isOpen.update { $0 = false }
        now.update { $0 = 400_000_000_000 }
        for number in 0..<4 { lookUp("hung\(number)") }
        try await eventually("two are being looked up") { lookup.running.value == 2 }
        for number in 0..<10 { lookUp("good\(number)") }
        try await eventually("the others are found") { found.value == 14 }
        #expect(lookup.running.value == 2)
        lookup.isOpen.update { $0 = true }
        try await eventually("all names are found") { found.value == 18 }
    }

    /// Addresses are used for a minute, and during a new lookup; for up to five minutes if no name server answers.
    @Test func cachedAddressesExpire() async throws {
        let result = Cell<NameResolver.Outcome>(.success(["127.0.0.1"]))
        let asked = Cell(0)
        let now = Cell<UInt64>(0)
        let resolver = NameResolver(
            maximum: 1,
            lookup: { _ in
                defer { asked.update { $0 += 1 } }
                return result.value
            }, now: { now.value })
        let received = Cell<[NameResolver.Outcome]>([])
        func addresses(at second: UInt64) -> [String]? {
            now.update { $0 = second * 1_000_000_000 }
            return resolver.addresses(of: HostName("a", .any), isWanted: { true }) { received.append($0) }
        }
        #expect(addresses(at: 0) == nil)
        try await eventually("it is found") { received.value.count == 1 }
        result.update { $0 = .success(["127.0.0.2"]) }
        #expect(addresses(at: 59) == ["127.0.0.1"] && asked.value == 1)
        #expect(addresses(at: 60) == ["127.0.0.1"])
        try await eventually("it is found anew") { addresses(at: 60) == ["127.0.0.2"] }
        result.update { $0 = .failure(HostName.Failure("no server answers", isTemporary: true)) }
        let before = asked.value
        #expect(addresses(at: 200) == ["127.0.0.2"])
        try await eventually("it was looked up") { asked.value > before }
        #expect(addresses(at: 359) == ["127.0.0.2"])
        #expect(addresses(at: 360) == nil)
        try await eventually("it fails") { (try? received.value.last?.get()) == nil }
        result.update { $0 = .success(["127.0.0.3"]) }
        try await eventually("it is found again") { addresses(at: 400) == ["127.0.0.3"] }
        result.update { $0 = .failure(HostName.Failure("there is none", isTemporary: false)) }
        #expect(addresses(at: 470) == ["127.0.0.3"])
        try await eventually("it is gone") { addresses(at: 470) == nil }
    }

    /// The client connects to the addresses in their order, and sends the name in the header `Host`.
    @Test func resolvedAddressesAreUsed() async throws {
        let server = try RawServer.answering(ok("fine"))
        let lookup = SlowLookup {
            $0 == "none.example"
                ? .failure(.init("no such name", isTemporary: false))
                : .success(["[::1]", "127.0.0.1"])
        }
        let client = HTTPClient(lookup: lookup.callAsFunction)
        let outcome = try await client.outcome(of: request("Name.EXAMPLE", server)).value
        #expect(outcome.ok && server.requests.value.last?.contains("Host: Name.EXAMPLE:") == true, "\(outcome)")
        #expect(try await client.outcome(of: request("name.example.", server)).value.ok)
        let none = try await client.outcome(of: request("none.example", server)).value
        #expect(none.error?.code == .resolve)
        #expect(none.error?.mentions("cannot find the address of none.example: no such name") == true)
        // Neither IP addresses nor hosts behind a proxy are looked up.
        #expect(try await client.outcome(of: request("127.0.0.1", server)).value.ok)
        let through = HTTPRoute(
            proxy: .through(server.url("").replacingOccurrences(of: "127.0.0.1", with: "proxy.example")))
        #expect(try await client.outcome(of: HTTPRequest("http://far.example/", route: through)).value.ok)
        #expect(lookup.asked.value == ["name.example", "name.example.", "none.example", "proxy.example"])
    }

    @Test func systemResolverIsUsed() {
        #expect((try? HostName("localhost", .ipv4).lookUp().get()) == ["127.0.0.1"])
        #expect((try? HostName("127.0.0.1", .any).lookUp().get()) == ["127.0.0.1"])
        guard case .failure(let failure) = HostName("no name at all", .any).lookUp() else {
            Issue.record("the invalid name was found")
            return
        }
        #expect(!failure.words.isEmpty)
    }
}
