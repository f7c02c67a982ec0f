import RxDiagnostics
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// A failed event is lost or routed alone, and no state is lost with it.
@Suite(.balanced) struct DeadLetterTests {
    @Test(arguments: [
        ("filter: 'if . == 1 then error(\"no\") else true end'", ["0", "2", "3", "4"]),
        ("compactMap: 'if . == 1 then error(\"no\") else . end'", ["0", "2", "3", "4"]),
        ("scan: { seed: 0, next: 'if . == 1 then error(\"no\") else $state + . end' }", ["0", "2", "5", "9"]),
        (
            "distinctUntilChanged: 'if . == 1 then error(\"no\") else . % 2 end'",
            // 2 has the key of 0, the last event that did not fail.
            ["0", "3", "4"]
        ),
        ("skipWhile: 'if . == 1 then error(\"no\") else . < 3 end'", ["3", "4"]),
        ("takeWhile: 'if . == 1 then error(\"no\") else . < 4 end'", ["0", "2", "3"]),
        (
            "groupBy: { key: 'if . == 1 then error(\"no\") else . % 2 end', steps: [scan: { seed: 0, next: '$state + 1' }] }",
            ["1", "2", "1", "3"]
        ),
        (
            "groupBy: { key: '0', steps: [scan: { seed: 0, next: 'if . == 1 then error(\"no\") else $state + 1 end' }] }",
            ["1", "2", "3", "4"]
        ),
        (
            "window: { count: 5, steps: [reduce: { seed: 0, next: 'if . == 1 then error(\"no\") else $state + . end' }] }",
            ["9"]
        ),
        (
            "withLatestFrom: { from: tick, map: 'if . == 1 then error(\"no\") else [., $latest.tick] end' }",
            ["[0,0]", "[2,2]", "[3,3]", "[4,4]"]
        ),
    ])
    func failedExpressionDropsOneEventAndKeepsState(step: String, expected: [String]) throws {
        let found = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p: { from: tick, steps: [map: .tick, \(step)], onError: { to: failed }, to: [journal: "{{.}}"] }
                  failed: { from: onError, to: [stdout] }
                """)
            rig.start()
            rig.scheduler.advanceTo(48)
            #expect(rig.records.lines().map { $0.split(separator: " ").last.map(String.init) } == expected)
            #expect(rig.lines.value.count == 1 && rig.graph?.unsettledCount == 0)
            rig.drop()
        }
        let error = try #require(found.first as? PipelineError)
        #expect(found.count == 1 && error.consequence == .continues && error.event?.cause == "tick:1")
        #expect("\(error)".hasPrefix("p failed: t.yaml:3:") && "\(error)".contains(" on tick:1: "))
    }

    @Test(arguments: [
        "flatMap: { interval: { every: 1h, delay: 0s }, map: 'if $outer == 1 then error(\"no\") else $outer end' }",
        "flatMapLatest: { interval: { every: 1h, delay: 0s }, map: 'if $outer == 1 then error(\"no\") else $outer end' }",
        "flatMap: { interval: { every: '{{if . == 1 then error(\"no\") else 1 end}}h', delay: 0s }, map: $outer }",
        "flatMapLatest: { interval: { every: '{{if . == 1 then error(\"no\") else 1 end}}h', delay: 0s }, map: $outer }",
        "flatMap: { interval: { every: '{{if . == 1 then \"x\" else 1 end}}h', delay: 0s }, map: $outer }",
    ])
    func failedInnerSourceDropsOneEvent(step: String) throws {
        let found = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p: { from: tick, steps: [map: .tick, \(step)], onError: { to: stdout }, to: [journal: "{{.}}"] }
                """)
            rig.start()
            rig.scheduler.advanceTo(38)
            #expect(rig.records.lines() == ["0 info 0", "20 info 2", "30 info 3"])
            #expect(rig.lines.value.count == 1)
            rig.drop()
        }
        #expect(found.count == 1 && (found.first as? PipelineError)?.event?.cause == "tick:1")
    }

    @Test func innerSourceIsRetried() throws {
        let found = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    steps:
                      - flatMap:
                          interval: { every: 1h, delay: 0s }
                          map: 'if $outer.tick == 1 then error("no") else $outer.tick end'
                          retry: { times: 2, delay: 6s }
                    onError: { to: { journal: "{{.error}}" } }
                    to: [journal: "{{.}}"]
                """)
            rig.start()
            rig.scheduler.advanceTo(38)
            #expect(rig.records.lines() == ["0 info 0", "20 info 2", "22 info no; tried 3 times", "30 info 3"])
            rig.drop()
        }
        #expect(found.map { "\($0)" } == ["p failed: t.yaml:8:17: flatMap failed on tick:1: no; tried 3 times"])
    }

    /// A missing value cannot be an argument of a command.
    @Test func nullInCommandFailsItsEvent() throws {
        let found = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    onError: { to: { journal: "{{.sink}} {{.value.tick}}: {{.error}}" } }
                    to: [command: { run: [echo, "{{.missing}}"] }]
                """)
            rig.start()
            rig.scheduler.advanceTo(15)
            let message = "an expression in it is null; if that can happen, give a default: // \"none\""
            let lines = rig.records.lines()
            #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(message) }, "\(lines)")
            #expect(lines.map { $0.prefix { $0 != ":" } } == ["0 info command 0", "10 info command 1"])
            #expect(rig.graph?.unsettledCount == 0)
            rig.drop()
        }
        #expect(found.isEmpty)
    }

    /// On real threads: these sinks use queues of their own.
    @Test(arguments: [
        (
            "file: /nonexistent/a", "file",
            "creating '/nonexistent/a', whose directory must exist: No such file or directory"
        ),
        ("file: /dev/null", "file", "appending to '/dev/null', which is not a regular file: Invalid argument"),
        (
            "http: { url: 'http://127.0.0.1:1/hook?hook', retry: 0 }", "http",
            "POST http://127.0.0.1:1: cannot connect"
        ),
    ])
    func failedEventOfQueuedSinkIsRouted(sink: String, name: String, error: String) async throws {
        let lines = Cell<[String]>([])
        let plan = try Plan.read(
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [map: .tick], to: [\(sink)], onError: { to: failed } }
              failed: { from: onError, steps: [map: '[.pipeline, .sink, .error, .value]'], to: [stdout] }
            """.utf8, file: "t.yaml")
        var graph: Graph? = Graph(
            plan, generation: { 1 }, host: .inline(), records: SinkRecords(Cell([])),
            printLine: { line, receipt in
                lines.append(line)
                receipt.end(.written)
            },
            makeScheduler: { SerialDispatchQueueScheduler(internalSerialQueueName: $0) })
        graph?.start { _ in }
        try await eventually("it is routed and settled: \(lines.value)") {
            lines.value.count == 1 && graph?.unsettledCount == 0
        }
        #expect(
            lines.value[0].hasPrefix("[\"p\",\"\(name)\",\"\(error)") && lines.value[0].hasSuffix("\",0]"),
            "\(lines.value)")
        #expect(!lines.value[0].contains("hook"))
        graph?.dispose()
        graph = nil
    }

    private let failing = """
        sources: { tick: { interval: { every: 10s, delay: 0s } } }
        pipelines:
          p:
            from: tick
            steps: [map: 'if .tick == 1 then error("no") else .tick end', checkpoint: here]
        """

    @Test func failedEventIsRoutedToSink() throws {
        _ = try errors {
            let rig = try Rig(
                failing + """

                        onError: { to: { journal: '{{.}} {{$event.id | sub(":.*:"; ":")}}' } }
                        to: [stdout]
                    """)
            rig.run(until: 25)
            #expect(rig.lines.value == ["0", "2"])
            #expect(
                rig.records.lines() == [
                    #"10 info {"pipeline":"p","error":"no","value":{"tick":1,"time":10},"step":"map","location":"t.yaml:5:19"} tick:1"#
                ])
            rig.drop()
        }
    }

    @Test func failedEventIsRoutedToPipelinesAndSinks() throws {
        _ = try errors {
            let rig = try Rig(
                failing + """

                        onError: { to: [failed, journal: 'lost {{.value.tick}}', both] }
                      failed: { from: onError, steps: [delay: 3s, map: .error], to: [stdout] }
                      both: { from: p, steps: [map: '(.value?.tick?) // .'], to: [journal: 'both {{.}}'] }
                    """)
            rig.start()
            rig.scheduler.advanceTo(12)
            #expect(rig.records.lines() == ["0 info both 0", "10 info lost 1", "10 info both 1"])
            // Unsettled until the last receiver has finished.
            #expect(rig.lines.value == [] && rig.graph?.unsettledCount == 1)
            rig.scheduler.advanceTo(15)
            #expect(rig.lines.value == [#""no""#] && rig.graph?.unsettledCount == 0)
            rig.drop()
        }
    }

    @Test func failedEventOfSinkIsRouted() throws {
        let rig = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p:
                from: tick
                onError: { to: stdout }
                to: [journal: '{{if .tick == 1 then error("no") else .tick end}}', journal: 'b {{.tick}}']
            """)
        rig.run(until: 25)
        #expect(rig.records.lines() == ["0 info 0", "0 info b 0", "10 info b 1", "20 info 2", "20 info b 2"])
        #expect(rig.records.lines(.sink) == ["10 err p: journal failed: t.yaml:6:22: no"])
        #expect(
            rig.lines.value == [
                #"{"pipeline":"p","error":"t.yaml:6:22: no","value":{"tick":1,"time":10},"sink":"journal"}"#
            ])
        rig.drop()
    }

    @Test func completedPipelineReceivesNothing() throws {
        _ = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p: { from: tick, onError: { to: one }, to: [journal: '{{error("no")}}'] }
                  one: { from: onError, steps: [take: 1], to: [stdout] }
                """)
            rig.start()
            rig.scheduler.advanceTo(25)
            #expect(rig.lines.value.count == 1 && rig.graph?.unsettledCount == 0)
            #expect(rig.records.lines(.sink).count == 3)
            rig.drop()
        }
    }

    @Test func failureBeforeMaterializeIsNotRouted() throws {
        let handled = try Rig(
            """
            sources: { tick: { interval: { every: 10s, delay: 0s } } }
            pipelines:
              p:
                from: tick
                steps: [map: 'if .tick == 1 then error("no") else .tick end', materialize, map: .kind]
                onError: { to: stdout }
                to: [journal: "{{.}}"]
            """)
        handled.run(until: 25)
        #expect(handled.records.lines() == ["0 info next", "10 info error"])
        #expect(handled.lines.value == [])
        handled.drop()
    }

    @Test func retryRecordsAndRoutesFailedEvent() throws {
        let found = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    steps: [map: 'if .tick == 1 then error("no") else .tick end', retry: { delay: 1s }]
                    onError: { to: stdout }
                    to: [journal: "{{.}}"]
                """)
            rig.run(until: 25)
            #expect(rig.records.lines() == ["0 info 0", "20 info 2"])
            #expect(rig.lines.value.count == 1)
            rig.drop()
        }
        #expect(
            found.map { "\($0)" } == [
                "p failed: t.yaml:5:19: map failed on tick:1: no; "
                    + "the steps before 'retry' restart without their state"
            ])
    }

    /// Components start in any order: no event that fails immediately is lost.
    @Test func failuresAreHeldUntilReceivingPipelineSubscribes() throws {
        for _ in 0..<20 {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 1h, delay: 0s } } }
                pipelines:
                  p: { from: tick, steps: [map: 'error("no")'], onError: { to: [failed] }, to: [stdout] }
                  failed: { from: onError, steps: [map: .error], to: [stdout] }
                """)
            _ = errors { rig.run(until: 10) }
            #expect(rig.lines.value == [#""no""#])
            rig.drop()
        }
    }

    @Test(arguments: [
        (
            "p: { from: tick, onError: { to: faild } }, failed: { from: tick }",
            "2:46: there is no source or pipeline 'faild'; did you mean 'failed'?"
        ),
        (
            "p: { from: onError }",
            "2:25: no pipeline has 'onError: { to: p }', so 'p' would never receive an event; add it to a pipeline"
        ),
        (
            "p: { from: tick, onError: { to: q } }, q: { from: onError, onError: { to: p } }",
            "2:46: failed events of 'p' go to 'q' and from there back to 'p', in a cycle; choose another pipeline or a sink"
        ),
        (
            "p: { from: tick, onError: { to: p } }",
            "2:46: failed events of 'p' go to 'p' and from there back to 'p', in a cycle; choose another pipeline or a sink"
        ),
        (
            "p: { from: tick, onError: { to: stdout, policy: stop } }",
            "2:40: a pipeline with 'to' continues after a failure, so 'policy' has no effect; remove one of them"
        ),
        (
            "p: { from: tick, onError: {} }",
            "2:40: onError needs 'to' with sinks or pipelines, or 'policy'"
        ),
        (
            "p: { from: tick, onError: retry }",
            "2:40: expected one of restart, stop, exit, or { to: … } with sinks and pipelines, found 'retry'; 'retry' of a sink repeats its work, and the step 'retry' restarts the steps before it"
        ),
        (
            "onError: { from: tick }",
            "2:14: 'onError' cannot be the name of a source or pipeline: 'from: onError' stands for the failed events of other pipelines"
        ),
    ]) func invalidRoutesAreErrors(pipelines: String, message: String) {
        do throws(Diagnostics) {
            _ = try Plan.read("sources: { tick: { interval: 10s } }\npipelines: { \(pipelines) }".utf8, file: "t.yaml")
            Issue.record("it is taken")
        } catch {
            #expect(error.list.map { "\($0)" } == ["t.yaml:\(message)"])
        }
    }

    /// Such an event is not dropped.
    @Test func refusedLinesAreRoutedToOnError() throws {
        let folder = TemporaryDirectory()
        let found = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 10s, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    steps: [map: 'if .tick < 2 then "none/a" else "a" end']
                    to: [file: '\(folder.path)/{{.}}']
                    onError: { to: [stdout] }
                """)
            rig.start()
            rig.scheduler.advanceTo(28)
            #expect(rig.lines.value.count == 2 && rig.graph?.flow.dropped == 0)
            let record = rig.records.all(.sink).last { $0.message.contains("works again") }
            #expect(record?.message == "p: file works again; 2 lines were refused")
            #expect(record?[.dropped] == nil && !folder.text("a").isEmpty)
            rig.drop()
        }
        #expect(found.isEmpty)
    }
}
