import Dispatch
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct UnitsTests {
    private typealias Unit = FakeManager.Unit

    private let running = Unit(active: "active", sub: "running")

    private func units(_ bus: TestBus) -> Units {
        Units(on: .address(bus.address), firstRetry: .milliseconds(10), longestRetry: .milliseconds(50))
    }

    private func line(_ state: UnitState) -> String {
        "\(state.load) \(state.active)/\(state.sub) \(state.result ?? "-")\(state.job.map { " job \($0)" } ?? "")"
    }

    @Test func stateAndChangesAreEmitted() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address, ["nginx.service": running])
        let log = Cell<[String]>([])
        let subscription = units(bus).state(of: "nginx.service").subscribe(onNext: { log.append(line($0)) })
        var expected = ["loaded active/running success"]
        try await eventually("its state") { log.value == expected }

        let changes: [(Unit, String?)] = [
            (
                Unit(active: "deactivating", sub: "stop-sigterm", job: 7),
                "loaded deactivating/stop-sigterm success job 7"
            ),
            (Unit(active: "failed", sub: "failed", result: "signal"), "loaded failed/failed signal"),
            // The same state again is not emitted.
            (Unit(active: "failed", sub: "failed", result: "signal"), nil),
            (running, "loaded active/running success"),
        ]
        for (unit, text) in changes {
            manager.change("nginx.service", unit)
            if let text { expected.append(text) }
        }
        try await eventually("its changes") { log.value == expected }
        manager.change("other.service", Unit())
        manager.babble("nginx.service")
        manager.change("nginx.service", Unit())
        try await eventually("repeated and invalid signals are ignored") {
            log.value == expected + ["loaded inactive/dead success"]
        }
        subscription.dispose()
        manager.stop()
    }

    @Test func unloadedUnitHasState() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address)
        let log = Cell<[String]>([])
        let subscription = units(bus).state(of: "late@1.service").subscribe(onNext: { log.append(line($0)) })
        try await eventually("the unit is not found") { log.value == ["not-found inactive/dead success"] }
        // A signal that the unit exists, after it has gone again: a look would load it once more, and so for ever.
        let calls = manager.log.count
        manager.load("other.service", Unit())
        manager.load("late@1.service", Unit(active: "activating", sub: "start"))
        try await eventually("the unit starts") { log.value.last == "loaded activating/start success" }
        manager.change("late@1.service", running)
        try await eventually("the unit runs") { log.value.last == "loaded active/running success" }
        #expect(manager.log.dropFirst(calls).filter { $0.hasPrefix("GetUnit") } == ["GetUnit late@1.service"])

        manager.set("late@1.service", Unit(load: "masked"))
        manager.reload()
        try await eventually("its file is read again") { log.value.last == "masked inactive/dead success" }
        #expect(log.value.count == 4)
        subscription.dispose()
        manager.stop()
    }

    @Test func typesWithoutResultHaveNone() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address, ["multi-user.target": Unit(active: "active", sub: "active")])
        let state = try await units(bus).state(of: "multi-user.target").asSingleValue()
        #expect(
            state
                == UnitState(
                    unit: "multi-user.target", load: "loaded", active: "active", sub: "active", result: nil, job: nil))
        #expect(!manager.log.contains { $0.hasPrefix("Get org.freedesktop.systemd1.") })
        manager.stop()
    }

    @Test func subscribersShareOneConnection() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address)
        let units = units(bus)
        let states = Cell<[Units.Connection]>([])
        let watching = units.connection.subscribe(onNext: { states.append($0) })
        let log = Cell<[String]>([])
        let subscriptions = (0..<20).map { number in
            units.state(of: "unit\(number % 10).service").subscribe(onNext: { log.append($0.unit) })
        }
        try await eventually("all states are received") { log.value.count == 20 }
        #expect(states.value == [.unused, .connecting, .connected])
        #expect(manager.log.filter { $0 == "Subscribe" }.count == 1)
        for subscription in subscriptions { subscription.dispose() }
        try await eventually("the connection is closed") { states.value.last == .unused }
        watching.dispose()
        manager.stop()
    }

    @Test func restartedBusIsReconnected() async throws {
        let bus = TestBus()
        let units = units(bus)
        let states = Cell<[String]>([])
        let watching = units.connection.subscribe(onNext: { state in
            if case .lost(let error, _) = state { states.append("\(error)") }
        })
        let log = Cell<[String]>([])
        let subscription = units.state(of: "a.service").subscribe(onNext: { log.append(line($0)) })
        try await eventually("the connection is retried several times") { states.value.count >= 3 }
        #expect(Set(states.value) == ["connecting to the bus at \(bus.address): No such file or directory"])

        for round in 1...3 {
            try await bus.start()
            let manager = try FakeManager(bus.address, ["a.service": running])
            // The same as before it went: emitted anew.
            try await eventually("the state is received in round \(round)") { log.value.count == round }
            let count = states.value.count
            manager.stop()
            try await bus.stop()
            try await eventually("the loss is received") { states.value.count > count }
        }
        #expect(Set(log.value) == ["loaded active/running success"])
        subscription.dispose()
        watching.dispose()
    }

    @Test func restartedManagerIsReconnected() async throws {
        let bus = TestBus()
        try await bus.start()
        let log = Cell<[String]>([])
        let subscription = units(bus).state(of: "a.service").subscribe(onNext: { log.append(line($0)) })
        for round in 1...3 {
            let manager = try FakeManager(bus.address, ["a.service": running])
            try await eventually("the state is received in round \(round)") { log.value.count == round }
            manager.change("a.service", running)
            manager.stop()
        }
        subscription.dispose()
    }

    @Test func refusedCallIsError() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address)
        manager.answer("GetAll", with: .error("org.freedesktop.DBus.Error.AccessDenied"))
        let error = await #expect(throws: BusError.self) {
            try await units(bus).state(of: "a.service").asSingleValue()
        }
        #expect(error?.description == "refused (org.freedesktop.DBus.Error.AccessDenied)")
        manager.stop()
    }

    @Test(arguments: ["", "nginx", ".service", "a b.service", "a.nonsense", "a/b.service", "ä.service", "x.service\n"])
    func invalidUnitNameIsError(name: String) async throws {
        let units = Units(on: .address("unix:path=/nonexistent"))
        await #expect(throws: UnitNameError.self) { try await units.state(of: name).asSingleValue() }
        await #expect(throws: UnitNameError.self) { try await units.perform(.start, on: name).asSingleValue() }
    }

    // MARK: operations

    @Test(arguments: [FakeManager.Answer.result("done"), .early("done"), .result("failed"), .early("timeout")])
    func jobResultIsEmitted(answer: FakeManager.Answer) async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address)
        let units = units(bus)
        for action in UnitAction.allCases {
            manager.answer(action.rawValue, with: answer)
            let result = try await units.perform(action, on: "a.service").asSingleValue()
            switch answer {
            case .result(let text), .early(let text):
                #expect(result?.result == text && result?.unit == "a.service" && result?.isDone == (text == "done"))
            case .pending, .error: break
            }
            #expect(manager.log.contains("\(action.rawValue) a.service"))
        }
        manager.stop()
    }

    @Test func eachCallerReceivesItsJobResult() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address)
        manager.answer("StartUnit", with: .pending)
        let units = units(bus)
        let log = Cell<[String]>([])
        let subscriptions = (0..<5).map { number in
            units.perform(.start, on: "unit\(number).service").subscribe {
                if case .next(let result) = $0 { log.append("\(result.unit) \(result.job) \(result.result)") }
            }
        }
        try await eventually("all jobs are requested") { manager.log.filter { $0.hasPrefix("StartUnit") }.count == 5 }
        let jobs = Dictionary(
            uniqueKeysWithValues: manager.log.filter { $0.hasPrefix("StartUnit") }.enumerated().map {
                (String($1.dropFirst("StartUnit ".count)), UInt32(101 + $0))
            })
        subscriptions[4].dispose()
        for number in (0..<5).reversed() {
            let unit = "unit\(number).service"
            manager.finish(jobs[unit] ?? 0, unit, "done")
            manager.finish(9000, unit, "failed")
        }
        try await eventually("four results are received") { log.value.count == 4 }
        #expect(
            log.value == (0..<4).reversed().map { "unit\($0).service \(jobs["unit\($0).service"] ?? 0) done" })
        for subscription in subscriptions { subscription.dispose() }
        manager.stop()
    }

    @Test func refusedOrLostJobIsError() async throws {
        let bus = TestBus()
        let units = units(bus)
        await #expect(throws: SystemError.self) { try await units.perform(.stop, on: "a.service").asSingleValue() }

        try await bus.start()
        let manager = try FakeManager(bus.address)
        manager.answer("StopUnit", with: .error("org.freedesktop.systemd1.NoSuchUnit"))
        let error = await #expect(throws: BusError.self) {
            try await units.perform(.stop, on: "a.service").asSingleValue()
        }
        #expect(error?.name == "org.freedesktop.systemd1.NoSuchUnit")

        manager.answer("StopUnit", with: .pending)
        let log = Cell<[String]>([])
        let subscription = units.perform(.stop, on: "a.service").subscribe(onError: { error in log.append("\(error)") })
        try await eventually("the job is requested") { manager.log.filter { $0.hasPrefix("StopUnit") }.count == 2 }
        manager.stop()
        try await eventually("the lost job is reported") { log.value.count == 1 }
        subscription.dispose()
    }

    @Test func connectionIsRetriedWithoutDescriptor() async {
        await #expect(processExitsWith: .success) {
            let bus = TestBus()
            try await bus.start()
            // The bus can accept connections before its process is watched, which would then fail and end it.
            try await eventually("the process of the bus is watched") {
                (0..<48).filter { descriptorTarget($0).contains("pidfd") }.count == 2
            }
            let manager = try FakeManager(bus.address)
            let units = Units(on: .address(bus.address), firstRetry: .milliseconds(10))
            let losses = Cell<[String]>([])
            let watching = units.connection.subscribe(onNext: { state in
                if case .lost(let error, _) = state { losses.append("\(error)") }
            })
            let log = Cell<[UnitState]>([])
            let subscription = try await withoutDescriptors {
                let subscription = units.state(of: "a.service").subscribe(onNext: { log.append($0) })
                try await eventually("the connection is lost") { losses.value.count >= 2 }
                return subscription
            }
            #expect(losses.value.first == "connecting to the bus at \(bus.address): Too many open files")
            try await eventually("the state is received") { log.value.count == 1 }
            subscription.dispose()
            watching.dispose()
            manager.stop()
            try await bus.stop()
        }
    }

    @Test func repeatedSubscriptionsLeakNothing() async throws {
        let bus = TestBus()
        try await bus.start()
        let manager = try FakeManager(bus.address)
        let before = ProcessStatistics.current().descriptors
        let units = units(bus)
        for round in 0..<100 {
            let subscription = units.state(of: "a.service").subscribe()
            if round % 3 == 0 { _ = try await units.state(of: "b.service").asSingleValue() }
            subscription.dispose()
            units.perform(.start, on: "a.service").subscribe().dispose()
        }
        try await eventually("all descriptors are closed") { ProcessStatistics.current().descriptors < before + 20 }
        manager.stop()
    }
}
