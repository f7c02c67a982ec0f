import Dispatch
import RxDiagnostics
import RxEngine
import RxEngineTest
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// `inFlight` bounds the number of unsettled events of a source.
@Suite(.balanced) struct InFlightTests {
    private func rig(_ inFlight: Int, _ steps: String) throws -> Rig {
        try Rig(
            """
            sources: { tick: { interval: { every: 10s, inFlight: \(inFlight) } } }
            pipelines: { p: { from: tick, steps: [map: .tick, \(steps)], to: [journal: "{{.}}"] } }
            """)
    }

    /// Events at 10, 20, 30 and so on. Two may wait for 25 seconds.
    @Test func intervalKeepsTheLatestValueWhileFull() throws {
        let rig = try rig(2, "delay: 25s")
        rig.start()
        rig.scheduler.advanceTo(33)
        // Those of 10 and 20, and that of 30 waits.
        #expect(rig.graph?.unsettledCounts == ["tick": 3])
        rig.scheduler.advanceTo(92)
        // At 35 there is room for that of 30, at 45 for that of 40; those of 50 and 60 have none, and so on.
        #expect(rig.records.lines() == ["35 info 0", "45 info 1", "60 info 2", "70 info 3", "85 info 5"])
        #expect(
            rig.records.lines(.source).filter { !$0.contains("armed") } == [
                "30 warning tick: inFlight reached: 2 events are unsettled; the latest values are kept"
            ])
        rig.drop()
    }

    @Test func stallAndResumeAreRecorded() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, inFlight: 2 } }, slow: { interval: 60s } }
            pipelines: { p: { from: tick, steps: [map: .tick, buffer: { span: 55s }], to: [journal: "{{.}}"] } }
            """)
        rig.start()
        rig.scheduler.advanceTo(58)
        #expect(rig.records.lines() == ["55 info [0,1]"])
        #expect(
            rig.records.lines(.source).filter { !$0.contains("armed") } == [
                "30 warning tick: inFlight reached: 2 events are unsettled; the latest values are kept",
                "55 notice tick: resumed; 2 values were replaced by later ones",
            ])
        rig.drop()
    }

    /// A source that stays at the limit tells each minute what it loses.
    @Test func lossesOfALongStallAreRecorded() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, inFlight: 2 } } }
            pipelines: { p: { from: tick, steps: [map: .tick, buffer: { span: 500s }], to: [journal: "{{.}}"] } }
            """)
        rig.start()
        rig.scheduler.advanceTo(158)
        rig.graph?.close()
        rig.drop()
        #expect(
            rig.records.lines(.source).filter { !$0.contains("armed") } == [
                "30 warning tick: inFlight reached: 2 events are unsettled; the latest values are kept",
                "90 warning tick: inFlight is still reached; 6 values were replaced by later ones so far",
                "150 warning tick: inFlight is still reached; 12 values were replaced by later ones so far",
                "158 warning tick: ended with inFlight reached; 12 values were replaced by later ones",
            ])
    }

    /// When half of the events are settled, not when the next one comes.
    @Test func resumeIsRecordedWithoutANewEvent() throws {
        let rig = StateRig()
        try rig.start(
            """
            sources: { s: { interval: { every: 1h, inFlight: 4 } } }
            pipelines: { p: { from: s, steps: [delay: 10s], to: [stdout] } }
            """)
        for value in [1, 2, 3, 4, 5, 6] as [JSON] {
            rig.emit(value)
            rig.wait(1)
        }
        rig.wait(40)
        #expect(rig.lines.value == ["1", "2", "3", "4", "6"])
        let records = rig.records.lines(.source).dropFirst().map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
        #expect(
            records == [
                "warning s: inFlight reached: 4 events are unsettled; the latest values are kept",
                "notice s: resumed; 1 value was replaced by a later one",
            ])
        rig.end()
    }

    @Test func pendingValuesAreUnsettledAtStop() throws {
        let rig = try rig(1, "delay: 1h")
        rig.start()
        rig.scheduler.advanceTo(35)
        rig.graph?.close()
        rig.graph?.freeze()
        let left = rig.graph?.unsettled ?? []
        #expect(left.map(\.value["tick"]) == [0, 2] && left.map(\.event.sequence) == [0, 1])
        rig.drop()
    }

    // MARK: - Pending values

    private static func change(_ kind: String, _ path: String) -> JSON {
        ["kind": .string(kind), "path": .string(path)]
    }

    @Test(arguments: [
        ("created a, modified a, attributes a", "created a"), ("modified a, attributes a", "modified a"),
        ("attributes a, modified a", "modified a"), ("created a, removed a", "removed a"),
        ("removed a, created a", "created a"), ("modified a, created b, modified a", "modified a, created b"),
        ("modified a, moved b, modified a, modified a", "modified a, moved b, modified a"),
        ("overflow /, overflow /", "overflow /, overflow /"),
    ])
    func filesConflatesChangesByPath(told: String, kept: String) throws {
        func changes(_ text: String) -> [JSON] {
            text.split(separator: ", ").map { words in
                let words = words.split(separator: " ")
                return Self.change(String(words[0]), String(words[1]))
            }
        }
        let source = FilesSource(request: FileRequest(["/"]))
        var pending = PendingValues(source.backpressure)
        let replaced = changes(told).count { pending.append(SourceValue($0)) }
        #expect(pending.all.map(\.value) == changes(kept) && pending.count + replaced == changes(told).count)
        var taken: [JSON] = []
        while let first = pending.popFirst() { taken.append(first.value) }
        #expect(taken == changes(kept) && pending.isEmpty)
    }

    @Test func removedValuesAreNotMergedWithNewOnes() {
        var pending = PendingValues(
            .conflates(key: { $0["path"]?.string }, join: { $1 }))
        func append(_ kind: String, _ path: String) -> Bool { pending.append(SourceValue(Self.change(kind, path))) }
        for number in 0..<3000 { _ = append("created", "\(number)") }
        for number in 0..<2500 { #expect(pending.popFirst()?.value["path"] == .string("\(number)")) }
        #expect(!append("modified", "7") && append("modified", "2600"))
        var rest: [String] = []
        while let value = pending.popFirst()?.value {
            rest.append("\(value["kind"]?.string ?? "") \(value["path"]?.string ?? "")")
        }
        #expect(rest.count == 501 && rest[100] == "modified 2600" && rest.last == "modified 7")
    }

    @Test func replacingIntakeResumesFromThePosition() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        func intake(inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: 10, backpressure: .blocks, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        let values = PublishSubject<SourceValue>()
        let first = intake(inPlaceOf: nil)
        let subscription = Observable<PipelineEvent>.source { first.run(values, into: $0) }.subscribe()
        first.open()
        #expect(first.position == nil)
        values.onNext(SourceValue(1, position: "a"))
        values.onNext(SourceValue(2, position: "b"))
        #expect(first.position == "b")
        let second = intake(inPlaceOf: first)
        #expect(second.position == "b")
        subscription.dispose()
        let other = Observable<PipelineEvent>.source { second.run(values, into: $0) }.subscribe()
        second.open()
        values.onNext(SourceValue(3, position: "c"))
        #expect(first.position == "b" && second.position == "c")
        other.dispose()
    }

    /// Until the new source takes the place of the old one, both read the same.
    @Test func replacingIntakeDropsWhatTheOldOneHasEmitted() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Box<[JSON]>([])
        func intake(inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: 10, backpressure: .blocks, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        func value(_ number: Int) -> SourceValue {
            let number = JSON.number(Double(number))
            return SourceValue(number, position: number, name: EventName.make(of: "\(number)"))
        }
        let values = PublishSubject<SourceValue>()
        let first = intake(inPlaceOf: nil)
        let old = Observable<PipelineEvent>.source { first.run(values, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        first.open()
        values.onNext(value(1))
        let second = intake(inPlaceOf: first)
        let new = Observable<PipelineEvent>.source { second.run(values, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        values.onNext(value(2))
        old.dispose()
        values.onNext(value(3))
        #expect(log.value == [1, 2] && first.position == 2 && second.position == 3)
        second.open()
        #expect(log.value == [1, 2, 3] && second.count == 0)
        new.dispose()
    }

    /// The new source has read less, or holds some of it back.
    @Test(arguments: [(10, 2), (10, 4), (1, 5), (2, 4), (1, 0)], [BackpressurePolicy.blocks, .all])
    func replacingIntakeDropsWhatTheOldOneHasEmitted(limit: (inFlight: Int, read: Int), rule: BackpressurePolicy) throws
    {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Box<[JSON]>([])
        func intake(_ limit: Int, inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: limit, backpressure: rule, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        func value(_ number: Int) -> SourceValue {
            let number = JSON.number(Double(number))
            return SourceValue(number, position: number, name: EventName.make(of: "\(number)"))
        }
        let (ahead, behind) = (PublishSubject<SourceValue>(), PublishSubject<SourceValue>())
        let first = intake(10, inPlaceOf: nil)
        let old = Observable<PipelineEvent>.source { first.run(ahead, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        first.open()
        let second = intake(limit.inFlight, inPlaceOf: first)
        let new = Observable<PipelineEvent>.source { second.run(behind, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        for number in 1...4 { ahead.onNext(value(number)) }
        for number in 1...5 where number <= limit.read { behind.onNext(value(number)) }
        old.dispose()
        second.open()
        scheduler.advanceTo(1)
        for number in 1...6 where number > limit.read { behind.onNext(value(number)) }
        scheduler.advanceTo(2)
        #expect(log.value == [1, 2, 3, 4, 5, 6] && second.count == 0 && second.position == 6)
        new.dispose()
    }

    /// A value with a permit that is left out makes room for the next.
    @Test func skippedValuesReturnTheirPermits() {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        func intake(inPlaceOf before: Intake?) -> Intake {
            Intake(
                "s", on: scheduler, limit: 1, backpressure: .blocks, redelivering: [], onProgress: { _ in },
                record: { _, _, _ in }, inPlaceOf: before)
        }
        let values = PublishSubject<SourceValue>()
        func emit(_ number: Int) {
            values.onNext(SourceValue(.number(Double(number)), name: EventName.make(of: "\(number)")))
        }
        let first = intake(inPlaceOf: nil)
        let old = Observable<PipelineEvent>.source { first.run(values, into: $0) }.subscribe()
        first.open()
        let second = intake(inPlaceOf: first)
        for number in 0..<4 { emit(number) }
        old.dispose()
        let log = Box<[JSON]>([])
        let new = Observable<PipelineEvent>.source { second.run(values, into: $0) }.subscribe(
            onNext: { log.append($0.value) })
        second.open()
        let permits = second.makePermits()
        let entered = DispatchSemaphore(value: 0)
        let thread = Thread { while permits.wait() { entered.signal() } }
        for number in 0..<6 {
            #expect(entered.wait(timeout: .now() + 10) == .success, "there is a permit for \(number)")
            permits.arrived()
            emit(number)
        }
        permits.end()
        thread.join()
        #expect(log.value == [4, 5])
        new.dispose()
    }

    @Test func hidingCredentialsKeepsTheSourcesSettings() throws {
        var secrets = Secrets()
        secrets.insert("a secret", named: "token")
        let plain = JournalSource(query: JournalQuery(), settings: SourceSettings(inFlight: 7))
        let hidden = plain.hiding(secrets)
        guard case .blocks = hidden.backpressure else { return #expect(Bool(false), "it waits no more") }
        #expect(hidden.settings.inFlight == 7 && hidden.isEndless)
        #expect(FilesSource(request: FileRequest(["/"])).hiding(secrets).isStoppedByHost)
    }

    @Test func pendingValuesAreNotDropped() {
        var pending = PendingValues(.conflates(key: { _ in nil }, join: { $1 }))
        let replaced = (0..<100_003).count { pending.append(SourceValue(.number(Double($0)))) }
        #expect(replaced == 0 && pending.count == 100_003 && pending.popFirst()?.value == 0)
    }

    @Test func filesLosesNoChangeBeyondThePendingOnes() async throws {
        let folder = SinkFolder()
        let lines = Box<[String]>([])
        let records = Box<[Record]>([])
        let isArmed = Box(false)
        var plan = try Plan.read(
            """
            sources: { s: { files: { paths: \(folder.path), events: created, inFlight: 5 } } }
            pipelines: { p: { from: s, steps: [map: .path, delay: 1ms], to: [stdout] } }
            """.utf8, file: "t.yaml")
        plan.sources = try plan.sources.map { source in
            var kind = try #require(source.kind as? FilesSource)
            kind.mostPending = 10
            return Plan.Source(name: source.name, kindName: source.kindName, kind: kind, content: source.content)
        }
        var graph: Graph? = Graph(
            plan, generation: { 1 }, host: .inline(), records: SinkRecords(records),
            printLine: { line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in isArmed.update { $0 = true } }
        try await eventually("it is armed") { isArmed.value }
        let paths = (0..<300).map { "\(folder.path)/\($0)" }
        for path in paths { #expect(FileAppender(path, mode: 0o600).append([[]]).written == 1) }
        try await eventually("\(lines.value.count) lines") { lines.value.count >= 300 }
        #expect(lines.value.sorted() == paths.map { "\"\($0)\"" }.sorted())
        let told = records.value.filter { $0.kind == .source }.map(\.message)
        #expect(told.contains("s: 10 changes are pending or not saved; further ones are found later, by comparing"))
        graph?.dispose()
        graph = nil
    }

    @Test func eventsOfAnEndlessInnerSourceHaveNoProgress() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Box<[String]>([])
        let event = UnsettledEvent(
            SourceEvent("tick", run: "r", sequence: 3, time: 1, isRedelivered: true), ["tick": 3],
            SinkProgress(done: ["p/stdout": [0, 1, 2]]))
        var graph: Graph? = try Graph(
            of: """
                sources: { tick: { interval: 1h } }
                pipelines:
                  p: { from: tick, steps: [flatMap: { interval: { every: 10s }, map: .tick }], to: [stdout] }
                  q: { from: p, steps: [map: $event.id], to: [journal: "{{.}}"] }
                """, on: scheduler, lines: lines, redelivered: [event])
        graph?.start { _ in }
        scheduler.advanceTo(35)
        #expect(lines.value == ["10 0", "20 1", "30 2"])
        #expect(graph?.unsettled.map(\.progress.done) == [["p/stdout": [0, 1, 2]]])
        // A stop does not wait for it.
        #expect(graph?.isAtRest == true)
        graph?.dispose()
        graph = nil
        scheduler.start()
    }

    // MARK: - Permits

    private func event(_ number: UInt64 = 0) -> UnsettledEvent {
        UnsettledEvent(SourceEvent("s", sequence: number, time: 0), .null)
    }

    @Test func permitsBlockAtTheLimit() async throws {
        let unsettled = Unsettled(limit: 2)
        let entered = Box(0)
        let waits = Box(0)
        let permits = InFlightPermits(unsettled) { waits.update { $0 += 1 } }
        let thread = Thread {
            for _ in 0..<4 {
                _ = permits.wait()
                entered.update { $0 += 1 }
            }
        }
        var events: [PipelineEvent] = []
        func take() throws {
            permits.arrived()
            events.append(try #require(unsettled.accept(event())))
        }
        try await eventually("two have entered") { entered.value == 2 && waits.value == 1 }
        try take()
        try take()
        #expect(entered.value == 2)
        events.removeFirst()
        try await eventually("the third has") { entered.value == 3 && waits.value >= 2 }
        unsettled.close()
        try await eventually("nobody waits for what takes nothing in") { entered.value == 4 }
        thread.join()
        events = []
    }

    @Test func endedRunReturnsItsPermits() async throws {
        let unsettled = Unsettled(limit: 1)
        let first = InFlightPermits(unsettled)
        #expect(first.wait())
        let hasWaited = Box(false)
        let isWaiting = Box(false)
        let second = InFlightPermits(unsettled) { isWaiting.update { $0 = true } }
        let thread = Thread {
            _ = second.wait()
            hasWaited.update { $0 = true }
        }
        try await eventually("it waits") { isWaiting.value }
        second.end()
        thread.join()
        #expect(hasWaited.value)
        // The run has ended.
        #expect(!second.wait())
        second.arrived()
        first.end()
        let third = InFlightPermits(unsettled) { Issue.record("there is room") }
        #expect(third.wait())
        third.arrived()
        let taken = unsettled.accept(event())
        #expect(taken != nil && unsettled.count == 1)
    }

    @Test func raisingTheLimitWakesASourceThatWaits() async throws {
        let unsettled = Unsettled(limit: 1)
        let isWaiting = Box(false)
        let permits = InFlightPermits(unsettled) { isWaiting.update { $0 = true } }
        #expect(permits.wait())
        let hasPermit = Box(false)
        let thread = Thread { hasPermit.update { $0 = permits.wait() } }
        try await eventually("it waits") { isWaiting.value }
        unsettled.setLimit(2)
        thread.join()
        #expect(hasPermit.value)
        permits.end()
    }

    @Test func changingTheLimitCallsWhoAwaitsRoomOnceThereIsSome() {
        let unsettled = Unsettled(limit: 1)
        let calls = Box(0)
        unsettled.whenBelowLimit { calls.update { $0 += 1 } }
        var events = [unsettled.accept(event(0)), unsettled.accept(event(1))]
        #expect(unsettled.awaitsRoom())
        unsettled.setLimit(2)
        #expect(calls.value == 0)
        unsettled.setLimit(3)
        #expect(calls.value == 1 && !unsettled.awaitsRoom())
        unsettled.setLimit(1)
        #expect(unsettled.awaitsRoom())
        events.removeLast()
        #expect(calls.value == 1)
        events.removeLast()
        #expect(calls.value == 2)
    }

    @Test func changedSourceTakesOverPendingValues() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Box<[String]>([])
        func config(_ period: String, _ inFlight: Int) -> String {
            """
            sources: { tick: { interval: { every: \(period), inFlight: \(inFlight) } } }
            pipelines: { p: { from: tick, steps: [map: .tick, delay: 100s], to: [stdout] } }
            """
        }
        var old: Graph? = try Graph(of: config("10s", 1), on: scheduler, lines: lines)
        old?.start { _ in }
        scheduler.advanceTo(35)
        var new: Graph? = try Graph(of: config("10000ms", 3), replacing: old, on: scheduler, lines: lines)
        new?.take(placeOf: old)
        scheduler.advanceTo(36)
        // The old pipeline's delayed event is in flight in the new one.
        #expect(new?.unsettledCounts == ["tick": 1] && new?.unsettled.map(\.value["tick"]) == [0, 2])
        scheduler.advanceTo(52)
        #expect(new?.unsettledCounts == ["tick": 2])
        scheduler.advanceTo(150)
        #expect(lines.value.prefix(3) == ["135 0", "135 2", "145 0"])
        new?.dispose()
        (old, new) = (nil, nil)
        scheduler.start()
    }

    @Test func restartedSourceEmitsPendingValues() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let log = Box<[JSON]>([])
        let values = PublishSubject<SourceValue>()
        let intake = Intake(
            "s", on: scheduler, limit: 1, backpressure: .latest, redelivering: [], onProgress: { _ in },
            record: { _, _, _ in },
            onLeft: {})
        let held = Box<[PipelineEvent]>([])
        let source = Observable<PipelineEvent>.source { intake.run(values, into: $0) }
        func subscribe() -> any Disposable {
            source.subscribe(onNext: { event in
                log.append(event.value)
                held.append(event)
            })
        }
        var subscription = subscribe()
        intake.open()
        scheduler.advanceTo(1)
        values.onNext(SourceValue(1))
        values.onNext(SourceValue(2))
        #expect(log.value == [1] && intake.count == 2)
        subscription.dispose()
        held.update { $0 = [] }
        scheduler.advanceTo(2)
        subscription = subscribe()
        scheduler.advanceTo(3)
        #expect(log.value == [1, 2])
        // A closed intake rejects new values and keeps the pending ones.
        values.onNext(SourceValue(3))
        intake.unsettled.close()
        held.update { $0 = [] }
        scheduler.advanceTo(4)
        values.onNext(SourceValue(4))
        #expect(log.value == [1, 2] && intake.all.map(\.value) == [3])
        subscription.dispose()
    }

    @Test(
        arguments: [
            (
                "buffer: { count: 5 }",
                "2:52: buffer waits for 5 events, but 'inFlight' of its sources allows 4; raise 'inFlight' or lower the count"
            ),
            (
                "filter: ., buffer: { count: 5, skip: 2 }",
                "2:63: buffer waits for 5 events, but 'inFlight' of its sources allows 4; raise 'inFlight' or lower the count"
            ),
            ("buffer: { count: 4 }", nil), ("buffer: { count: 5, span: 1s }", nil),
            ("buffer: { count: 2, skip: 2 }, buffer: { count: 2 }", nil),
            (
                "buffer: { count: 2 }, buffer: { count: 3 }",
                "2:74: buffer waits for 3 events, but 'inFlight' of its sources allows 2; raise 'inFlight' or lower the count"
            ),
        ] as [(String, String?)]) func bufferAboveInFlightIsAnError(steps: String, message: String?)
    {
        let text =
            "sources: { s: { interval: { every: 1s, inFlight: 4 } } }\npipelines: { q: { from: s }, p: { from: q, steps: [\(steps)] } }"
        do throws(Diagnostics) {
            _ = try Plan.read(text.utf8, file: "t.yaml")
            #expect(message == nil)
        } catch {
            #expect(error.list.map { "\($0)" } == [message.map { "t.yaml:\($0)" }])
        }
    }
}

extension BackpressurePolicy {
    /// Keeps every value.
    fileprivate static let all = BackpressurePolicy.conflates(key: { _ in nil }, join: { $1 })
}
