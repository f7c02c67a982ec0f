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

    /// Events at 10, 20, 30 and so on. Two may be unsettled, for 25 seconds.
    @Test func intervalKeepsLatestValueWhileFull() throws {
        let rig = try rig(2, "delay: 25s")
        rig.start()
        rig.scheduler.advanceTo(33)
        // Those of 10 and 20, while that of 30 is pending.
        #expect(rig.graph?.unsettledCounts == ["tick": 3])
        rig.scheduler.advanceTo(92)
        // At 35 there is room for that of 30, at 45 for that of 40; those of 50 and 60 are dropped, and so on.
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

    /// While a source stays at its limit, the number of lost values is recorded each minute.
    @Test(arguments: [0, 3600, -3600]) func lossesOfLongStallAreRecorded(jump: Int) throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, inFlight: 2 } } }
            pipelines: { p: { from: tick, steps: [map: .tick, buffer: { span: 500s }], to: [journal: "{{.}}"] } }
            """)
        rig.start()
        rig.scheduler.advanceTo(42)
        // Setting the time of day does not change the length of a minute.
        rig.wall.jump(by: jump)
        rig.scheduler.advanceTo(158)
        rig.graph?.close()
        rig.drop()
        #expect(
            rig.records.lines(.source).filter { !$0.contains("armed") } == [
                "30 warning tick: inFlight reached: 2 events are unsettled; the latest values are kept",
                "90 warning tick: still held back (inFlight reached: 2 events are unsettled); 6 values were replaced by later ones so far",
                "150 warning tick: still held back (inFlight reached: 2 events are unsettled); 12 values were replaced by later ones so far",
                "158 warning tick: ended while held back (inFlight reached: 2 events are unsettled); 12 values were replaced by later ones",
            ])
    }

    /// The resumption is recorded when half of the events are settled, not when the next event arrives.
    @Test func resumeIsRecordedWithoutNewEvent() throws {
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
        ("modified a, closed a, modified a, closed a", "modified a, closed a"),
    ])
    func filesConflatesChangesByPath(input: String, kept: String) throws {
        func changes(_ text: String) -> [JSON] {
            text.split(separator: ", ").map { words in
                let words = words.split(separator: " ")
                return Self.change(String(words[0]), String(words[1]))
            }
        }
        let source = FilesSource(request: FileRequest(["/"]))
        var pending = PendingValues(source.backpressure)
        let replaced = changes(input).count { pending.append(SourceValue($0)) }
        #expect(pending.all.map(\.value) == changes(kept) && pending.count + replaced == changes(input).count)
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

    /// A value that is skipped returns its permit to the next value.
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
        let log = Cell<[JSON]>([])
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

    @Test func hidingCredentialsKeepsSettingsOfSource() throws {
        var secrets = Secrets()
        secrets.insert("a secret", named: "token")
        let plain = JournalSource(query: JournalQuery(), settings: SourceSettings(inFlight: 7))
        let hidden = plain.hiding(secrets)
        guard case .blocks = hidden.backpressure else { return #expect(Bool(false), "it waits no more") }
        #expect(hidden.settings.inFlight == 7 && hidden.isEndless)
        let files = FilesSource(request: FileRequest(["/", "/missing", "/a secret"])).hiding(secrets)
        #expect(files.isStoppedByHost)
        #expect(files.notices.count == 2 && files.notices.allSatisfy { !$0.message.contains("a secret") })
    }

    /// A source that counts its pending values counts them with a credential, too.
    @Test func hidingCredentialsKeepsSlotsOfValues() {
        final class Slot: Sendable {}
        struct Counting: SourceKind {
            let slot = Slot()
            var summary: String { "counting" }
            func events(in context: SourceContext) -> Observable<JSON> { .empty() }
            func values(in context: SourceContext) -> Observable<SourceValue> {
                .just(SourceValue("a secret", position: 1, name: "n", slot: slot))
            }
        }
        var secrets = Secrets()
        secrets.insert("a secret", named: "token")
        let source = Counting()
        let values = Cell<[SourceValue]>([])
        let context = SourceContext(scheduler: TestScheduler(initialClock: 0), host: .inline(), armed: {})
        _ = source.hiding(secrets).values(in: context).subscribe(onNext: { values.append($0) })
        let value = values.value.first
        #expect(value?.value == "${credential:token}" && value?.position == 1 && value?.name == "n")
        #expect(value?.slot === source.slot)
    }

    @Test func pendingValuesAreNotDropped() {
        var pending = PendingValues(.conflates(key: { _ in nil }, join: { $1 }))
        let replaced = (0..<100_003).count { pending.append(SourceValue(.number(Double($0)))) }
        #expect(replaced == 0 && pending.count == 100_003 && pending.popFirst()?.value == 0)
    }

    /// A value that replaces two has the name under which the source would emit it again.
    @Test(arguments: [true, false]) func joinedValueKeepsNameOfEqualValue(isLater: Bool) {
        var pending = PendingValues(.conflates(key: { _ in "key" }, join: { isLater ? $1 : $0 }))
        let joined = [(1.0, "a"), (2, "b")].map { pending.append(SourceValue(.number($0), name: $1)) }
        #expect(joined == [false, true])
        let value = pending.popFirst()
        #expect(value?.value == (isLater ? 2 : 1) && value?.name == (isLater ? "b" : "a"))
    }

    @Test func onlyNamedValuesAreRemoved() {
        var pending = PendingValues(.conflates(key: { $0["key"]?.string }, join: { $1 }))
        for (number, name) in [(0.0, "a"), (1, nil), (2, "b")] as [(Double, String?)] {
            let isJoined = pending.append(SourceValue(.number(number), name: name))
            #expect(!isJoined)
        }
        pending.removeAll { $0 == "a" }
        let left = (0..<3).map { _ in pending.popFirst()?.value }
        #expect(left == [1, 2, nil])
    }

    @Test func filesLosesNoChangeBeyondPendingOnes() async throws {
        let folder = TemporaryDirectory()
        let lines = Cell<[String]>([])
        let records = Cell<[Record]>([])
        let isArmed = Cell(false)
        let (receipts, isHeld) = (Cell<[WriteReceipt]>([]), Cell(true))
        var plan = try Plan.read(
            """
            sources: { s: { files: { paths: \(folder.path), events: created, inFlight: 5 } } }
            pipelines: { p: { from: s, steps: [map: .path, delay: 1ms], to: [stdout] } }
            """.utf8, file: "t.yaml")
        plan.sources = try plan.sources.map { source in
            var kind = try #require(source.kind as? FilesSource)
            kind.maximumPending = 10
            return Plan.Source(name: source.name, kindName: source.kindName, kind: kind, content: source.content)
        }
        var graph: Graph? = Graph(
            plan, generation: { 1 }, host: .inline(), records: SinkRecords(records),
            printLine: { line, receipt in
                lines.append(line)
                if isHeld.value { receipts.append(receipt) } else { receipt.end(.written) }
            },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in isArmed.update { $0 = true } }
        try await eventually("the source is armed") { isArmed.value }
        let paths = (0..<300).map { "\(folder.path)/\($0)" }
        for path in paths { #expect(FileAppender(path, mode: 0o600).append([[]]).written == 1) }
        let suspension =
            "s: 10 changes are pending or not saved; reading is suspended, and further changes are found later by a comparison"
        try await eventually("\(records.value.map(\.message))") {
            records.value.contains { $0.kind == .source && $0.message == suspension }
        }
        isHeld.update { $0 = false }
        var ended = 0
        try await eventually("\(lines.value.count) lines") {
            for receipt in receipts.value[ended...] { receipt.end(.written) }
            ended = receipts.value.count
            return lines.value.count >= 300
        }
        #expect(lines.value.sorted() == paths.map { "\"\($0)\"" }.sorted())
        graph?.dispose()
        graph = nil
    }

    @Test func eventsOfEndlessInnerSourceHaveNoProgress() throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let lines = Cell<[String]>([])
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
            (
                "window: { count: 5, steps: [toArray] }",
                "2:52: window waits for 5 events, but 'inFlight' of its sources allows 4; raise 'inFlight' or lower the count"
            ),
            ("window: { count: 5, steps: [take: 4, toArray] }", nil),
            ("window: { count: 5, steps: [reduce: { next: . }] }", nil),
            ("window: { count: 5, span: 1s, steps: [toArray] }", nil),
            (
                "take: 6, toArray",
                "2:61: toArray waits for 6 events, but 'inFlight' of its sources allows 4; raise 'inFlight' or lower the count"
            ),
            ("take: 4, toArray", nil), ("toArray", nil), ("takeLast: 4", nil),
            (
                "takeLast: 5",
                "2:52: takeLast waits for 5 events, but 'inFlight' of its sources allows 4; raise 'inFlight' or lower the count"
            ),
        ] as [(String, String?)]) func stepAboveInFlightIsError(steps: String, message: String?)
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
