import Foundation
import RxControl
import RxEngine
import RxJSON
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// Requests to a running daemon, and its answers.
@Suite(.balanced) struct ControlTests {
    /// A daemon with a control socket.
    private final class Daemon {
        private let directory = TemporaryDirectory()
        var folder: String { directory.path }
        let config: ConfigFile
        let child: Child

        init(
            _ text: String, credentials: [String: String]? = nil, recording: String? = nil, keepsState: Bool = false
        ) throws {
            let folder = directory.path
            try FileManager.default.createDirectory(atPath: "\(folder)/credentials", withIntermediateDirectories: true)
            for (name, secret) in credentials ?? [:] {
                try Data(secret.utf8).write(to: URL(fileURLWithPath: "\(folder)/credentials/\(name)"))
            }
            config = try ConfigFile(text)
            let more = credentials == nil ? [] : ["CREDENTIALS_DIRECTORY=\(folder)/credentials"]
            let state = keepsState ? ["STATE_DIRECTORY=\(folder)"] : []
            let record = recording.map { ["RXWATCHD_RECORD=\($0)"] } ?? []
            child = try Child(
                "--config", config.path, environment: ["RUNTIME_DIRECTORY=\(folder)"] + more + record + state)
        }

        func ask(_ request: ControlRequest) throws -> ControlAnswer {
            let bytes = try LocalCall.ask(request.line, at: "\(folder)/control", within: .seconds(20))
            return try #require(ControlAnswer(bytes))
        }

        var generation: JSON? { try? ask(.status()).details["generation"] }

        func stop() async throws {
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
        }
    }

    private static func config(_ message: String, _ source: String = "interval: { every: 1h, delay: 0s }") -> String {
        """
        daemon: { resources: 1h }
        sources: { tick: { \(source) } }
        pipelines: { p: { from: tick, to: [journal: "\(message)"] } }

        """
    }

    @Test func reloadIsAnsweredWhenFinished() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        #expect(daemon.generation == 1)
        try daemon.config.write(Self.config("two"))
        let answer = try daemon.ask(.reload)
        let loaded = "reloaded \(daemon.config.path): 1 source, 1 pipeline"
        #expect(answer.exitCode == 0 && answer.message == "\(loaded); 2 kept; restarted p/journal")
        #expect(answer.details["counts"] == ["keep": 2, "restart": 1])
        #expect(answer.details["changes"]?.array?.last?["name"] == "p/journal")
        #expect(try daemon.ask(.reload).message == "\(loaded); nothing has changed")
        #expect(daemon.generation == 3)

        // An invalid configuration changes nothing, and each of its errors has its location.
        try daemon.config.write(Self.config("three", "intervall: 1s") + "extra: 1\n")
        let refusal = try daemon.ask(.reload)
        #expect(refusal.exitCode == 78 && refusal.message.hasPrefix("\(daemon.config.path):2:20: unknown source"))
        #expect(refusal.details["errors"]?.array?.compactMap { $0["line"]?.number } == [2, 4])
        #expect(daemon.generation == 3)
        let status = try daemon.ask(.status())
        #expect(
            status.message.contains("\nthe last reload has failed just now, and the configuration before it runs: "))
        #expect(status.details["reloadFailure"]?["message"]?.string?.contains("unknown source") == true)
        try daemon.config.write(Self.config("four"))
        #expect(try daemon.ask(.reload).exitCode == 0)
        #expect(try daemon.ask(.status()).details["reloadFailure"] == nil)
        try await daemon.stop()
    }

    /// A client follows the events of nodes, also those of the next configuration, without credentials.
    @Test func tapFollowsEvents() async throws {
        let config = """
            sources: { tick: { interval: 20ms } }
            pipelines:
              p: { from: tick, steps: [map: '{tick, key: "extremely secret"}'], to: [journal: "{{.tick}}"] }
              bad: { from: tick, steps: [map: 'error("extremely secret")'], to: [journal: "never"] }
              hook: { from: tick, steps: [filter: "false"], to: [http: { url: "http://127.0.0.1:1/", headers: { X-Key: "${credential:key}" } }] }

            """
        let daemon = try Daemon(config, credentials: ["key": "extremely secret"])
        try await daemon.child.said("ready after")
        #expect(
            try daemon.ask(.tap(nodes: ["tik"]))
                == ControlAnswer("there is no source or pipeline 'tik'; did you mean 'tick'?", exitCode: 1))
        func follow(
            _ request: ControlRequest, until isLast: (JSON) -> Bool, whileReading: () throws -> Void = {}
        ) throws -> [JSON] {
            var lines: [JSON] = []
            try LocalCall.follow(request.line, at: "\(daemon.folder)/control", within: .seconds(20)) { line in
                guard let line = try? JSON(parsing: line) else { return true }
                lines.append(line)
                if lines.count == 3 { try? whileReading() }
                return lines.count < 2 || !isLast(line) && lines.count < 10_000
            }
            return lines
        }
        let events = try follow(.tap(nodes: ["p"]), until: { $0["value"]?["new"] == true }) {
            try daemon.config.write(config.replacing("{tick, key", with: "{tick, new: true, key"))
            #expect(try daemon.ask(.reload).exitCode == 0)
        }
        #expect(events.allSatisfy { $0["node"] == "p" && $0["value"]?["key"] == "${credential:key}" })
        #expect(events.last?["value"]?["new"] == true && events.first?["value"]?["new"] == nil)
        let ticks = events.filter { $0["replayed"] != true }.compactMap { $0["value"]?["tick"]?.number }
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(events)")
        #expect(events.allSatisfy { $0["cause"]?.string?.hasPrefix("tick:") == true && $0["id"] != nil })
        let failures = try follow(.tap(nodes: ["bad"], lifecycle: true), until: { _ in true })
        #expect(failures.allSatisfy { $0["failed"]?.string?.hasSuffix("${credential:key}") == true }, "\(failures)")
        // As that of a sink, the failure of a step has the event.
        #expect(failures.allSatisfy { $0["cause"]?.string?.hasPrefix("tick:") == true && $0["id"] != nil })
        try await daemon.stop()
    }

    @Test func planSaysWhatReloadWouldDo() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        let same = try daemon.ask(.plan)
        #expect(same.message.hasPrefix("\(daemon.config.path): nothing would change\n") && same.exitCode == 0)
        try daemon.config.write(Self.config("two"))
        let answer = try daemon.ask(.plan)
        #expect(answer.message.hasPrefix("\(daemon.config.path): 2 kept, 1 restarted\n"))
        #expect(answer.details["counts"] == ["keep": 2, "restart": 1])
        #expect(answer.details["changes"]?.array?.last?["name"] == "p/journal")
        try daemon.config.write(Self.config("three", "intervall: 1s"))
        let refusal = try daemon.ask(.plan)
        #expect(refusal.exitCode == 78 && refusal.message.hasPrefix("\(daemon.config.path):2:20: unknown source"))
        #expect(daemon.generation == 1)
        try await daemon.stop()
    }

    /// An answer comes when files have settled, steps have emitted and sinks have finished.
    @Test func syncWaitsUntilAllIsSettled() async throws {
        let folder = TemporaryDirectory()
        let config = """
            sources: { files: { files: { paths: ["\(folder.path)"], settle: 50ms } } }
            pipelines:
              p: { from: files, steps: [filter: '.kind == "created"', { delay: 100ms }], to: [command: { run: [touch, '\(folder.path).{{.path | split("/") | last}}'] }] }
              stuck: { from: files, steps: [filter: '.path | endswith("stuck")', { delay: 1h }], to: [stdout] }

            """
        let daemon = try Daemon(config)
        try await daemon.child.said("ready after")
        #expect(try daemon.ask(.sync(timeout: 10)) == ControlAnswer("nothing was unsettled", details: ["settled": 0]))
        for round in 1...5 {
            try Data().write(to: URL(fileURLWithPath: folder("\(round)")))
            let answer = try daemon.ask(.sync(timeout: 10))
            #expect(answer.exitCode == 0 && answer.message.hasPrefix("settled "))
            let acted = "\(folder.path).\(round)"
            #expect(FileManager.default.fileExists(atPath: acted))
            try? FileManager.default.removeItem(atPath: acted)
        }
        try Data().write(to: URL(fileURLWithPath: folder("stuck")))
        try await eventually("the event is there") {
            try daemon.ask(.status(node: "files")).details["unsettled"] == 1
        }
        let late = try daemon.ask(.sync(timeout: 0.5))
        #expect(
            late.exitCode == 1 && late.message.contains(" not settled after 500ms: files:")
                && late.message.contains(" (files:@")
                && late.message.hasSuffix(", held by the steps of stuck)"), "\(late)")
        let heldBy = late.details["unsettled"]?.array?.first?.string.flatMap { late.details["heldBy"]?[$0] }
        #expect(heldBy == ["the steps of stuck"])
        // What is received is counted, also if nothing is emitted.
        let status = try daemon.ask(.status(node: "stuck"))
        let received = try #require(status.details["received"]?.number)
        #expect(received > 0 && status.message.contains("\n  0 events from \(Int(received)) received\n"), "\(status)")
        #expect(status.message.contains("'rxwatchctl try stuck' shows which step drops an event"))
        #expect(try daemon.ask(.status()).message.contains("stuck: running, no event from \(Int(received)) received"))
        try? FileManager.default.removeItem(atPath: "\(folder.path).stuck")
        try await daemon.stop()
    }

    /// Events that wait on disk for a command that hangs are listed, shown and dropped.
    @Test func spoolIsShownAndDropped() async throws {
        let folder = TemporaryDirectory()
        let config = """
            sources: { tick: { interval: 10ms } }
            pipelines:
              p: { from: tick, steps: [take: 20], to: [command: { run: [sh, -c, 'until [ -e \(folder.path)/go ]; do sleep 0.02; done; echo $RX_EVENT_ID >> \(folder.path)/done'], queue: { disk: 1MiB } }] }

            """
        let daemon = try Daemon(config, credentials: [:], keepsState: true)
        try await daemon.child.said("ready after")
        try await eventually("all wait") {
            try daemon.ask(.spool(.list)).details["sinks"]?.array?.first?["spooled"] == 20
        }
        let list = try daemon.ask(.spool(.list))
        #expect(list.message.hasPrefix("p/command: 20 on disk ("))
        #expect(list.details["sinks"]?.array?.first?["running"] == true)
        let shown = try daemon.ask(.spool(.show(sink: "p/command", limit: 5))).details["events"]?.array ?? []
        #expect(shown.compactMap { $0["value"]?["tick"]?.number } == [0, 1, 2, 3, 4])
        let ids = shown.compactMap { $0["id"]?.string }
        // The command is working on the first one.
        let some = try daemon.ask(.spool(.drop(sink: "p/command", ids: [ids[0], ids[3]])))
        #expect(
            some.exitCode == 1
                && some.message == "dropped 1 event that waited for p/command; 1 did not wait, or is being worked on "
                    + "(spool show prints the ids)"
        )
        #expect(
            try daemon.ask(.spool(.drop(sink: "p/comand"))).message
                == "there is no sink 'p/comand'; did you mean 'p/command'?")
        let rest = try daemon.ask(.spool(.drop(sink: "p/command")))
        #expect(
            rest
                == ControlAnswer(
                    "dropped 18 events that waited for p/command; 1 event is being worked on, or new",
                    details: ["dropped": 18]))
        try await daemon.child.said("p: command dropped 18 events that waited, on request")
        #expect(!daemon.child.errorLines.contains { $0.contains("spooled event") })
        try Data().write(to: URL(fileURLWithPath: folder("go")))
        #expect(try daemon.ask(.sync(timeout: 10)).exitCode == 0)
        try await eventually("nothing waits") { try daemon.ask(.spool(.list)).message == "nothing waits for a sink" }
        #expect(folder.text("done") == ids[0] + "\n")
        try await daemon.stop()
    }

    /// There is no sink that would record it.
    @Test func droppedEventsOfFormerSinkAreRecorded() async throws {
        func config(_ pipelines: String) -> String {
            """
            daemon: { drain: 100ms }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines: { \(pipelines) }

            """
        }
        let sink = #"http: { url: "http://127.0.0.1:1/", retry: { times: 9, backoff: 1h..1h }, queue: { disk: 1MiB } }"#
        let daemon = try Daemon(config("p: { from: tick, to: [\(sink)] }"), keepsState: true)
        try await daemon.child.said("ready after")
        try await eventually("it waits") {
            try daemon.ask(.spool(.list)).details["sinks"]?.array?.first?["spooled"] == 1
        }
        try daemon.config.write(config("q: { from: tick, to: [stdout] }"))
        #expect(try daemon.ask(.reload).exitCode == 0)
        // The old sink has the time of the drain.
        try await eventually("it is dropped") {
            try daemon.ask(.spool(.drop(sink: "p/http"))).message == "dropped 1 event that waited for p/http"
        }
        try await daemon.child.said("p/http: dropped 1 spooled event, on request")
        let none = try daemon.ask(.spool(.drop(sink: "p/http")))
        #expect(none.exitCode == 1 && none.message.hasPrefix("there is no sink 'p/http'"))
        #expect(try daemon.ask(.spool(.list)).message == "nothing waits for a sink")
        try await daemon.stop()
    }

    /// A request that waits for its next attempt is repeated at once.
    @Test func retryEndsPause() async throws {
        let config = """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines: { p: { from: tick, to: [http: { url: "http://127.0.0.1:1/", retry: { times: 1, backoff: 1h..1h } }] } }

            """
        let daemon = try Daemon(config)
        try await daemon.child.said("ready after")
        try await eventually("it waits") {
            try daemon.ask(.spool(.list)).details["sinks"]?.array?.first?["queued"] == 1
        }
        let shown = try daemon.ask(.spool(.show(sink: "p/http")))
        let event = try #require(shown.details["events"]?.array?.first)
        #expect(event["stored"] == false && event["value"]?["tick"] == 0)
        #expect(
            shown.message.hasPrefix("\(event["id"]?.string ?? "")  ") && shown.message.contains(#"  {"tick":0,"time":"#)
        )
        // The sink has its numbers in every form of the graph.
        try await eventually("it has failed") {
            try daemon.ask(.graph).message.contains("\n    sink http: failing, 1 queued, 0 dropped")
        }
        let graph = try daemon.ask(.graph)
        #expect(graph.details["dot"]?.string?.contains(#"label="http\nfailing\n1 queued\n0 dropped""#) == true)
        let mermaid = #"[/"http<br/>failing<br/>1 queued<br/>0 dropped"/]"#
        #expect(graph.details["mermaid"]?.string?.contains(mermaid) == true)
        let sink = graph.details["nodes"]?.array?.last
        #expect(sink?["kind"] == "sink" && sink?["queued"] == 1 && sink?["dropped"] == 0 && sink?["spooled"] == 0)
        let late = try daemon.ask(.sync(timeout: 0.1))
        #expect(late.message.hasSuffix(", held by p/http)"), "\(late)")
        try await eventually("the attempt is repeated") {
            _ = try daemon.ask(.spool(.retry(sink: "p/http")))
            return daemon.child.errorLines.contains { $0.contains("tried 2 times") }
        }
        try await daemon.stop()
    }

    /// A pipeline that a reload adds has received an event, although nothing has happened since.
    @Test func replayedEventIsCounted() async throws {
        func config(_ more: String) -> String {
            """
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, to: [stdout] }
            \(more)
            """
        }
        let daemon = try Daemon(config(""))
        try await eventually("the tick is there") {
            (try? daemon.ask(.status()))?.details["sources"]?["tick"]?["events"] == 1
        }
        try daemon.config.write(config("  q: { from: tick, steps: [filter: .tick > 0], to: [stdout] }"))
        #expect(try daemon.ask(.reload).exitCode == 0)
        try await eventually("it is replayed") {
            try daemon.ask(.status(node: "q")).message.contains("\n  0 events from 1 received (1 replayed)\n")
        }
        #expect(try daemon.ask(.status()).message.contains("no event from 1 received (1 replayed)"))
        #expect(try daemon.ask(.status(node: "q")).details["replayed"] == 1)
        try await daemon.stop()
    }

    /// The line of a failure has both times: when it was, and when the node worked again.
    @Test func recoveredNodeIsShown() async throws {
        let folder = TemporaryDirectory()
        let daemon = try Daemon(
            """
            sources: { run: { command: { run: ["\(folder("program"))"], every: 1h, delay: 0s } } }
            pipelines: { p: { from: run, to: [stdout] } }

            """)
        try await daemon.child.said("ready after")
        try await eventually("it has failed") {
            try daemon.ask(.status(node: "run")).details["failures"]?.array?.isEmpty == false
        }
        #expect(try !daemon.ask(.status(node: "run")).message.contains("recovered"))
        try FileManager.default.createSymbolicLink(atPath: folder("program"), withDestinationPath: "/bin/true")
        #expect(try daemon.ask(.fire(node: "run", timeout: 10)).exitCode == 0)
        // The answer comes with the event, which is noted as a recovery then.
        try await eventually("it has recovered") {
            try daemon.ask(.status()).message.contains(
                #/\n    failed (just now|.* ago)( \([^)]*\))?, recovered (just now|.* ago):/#)
        }
        try await daemon.stop()
    }

    /// A sink that a reload replaces has its events until it has finished; one that is dropped is not tried again.
    @Test func waitingEventIsShownDuringReload() async throws {
        func config(_ times: Int) -> String {
            """
            daemon: { drain: 2s }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines: { p: { from: tick, to: [http: { url: "http://127.0.0.1:1/", retry: { times: \(times), backoff: 1h..1h } }] } }

            """
        }
        let daemon = try Daemon(config(5))
        try await daemon.child.said("ready after")
        try await eventually("it tries again") {
            try daemon.ask(.status(node: "p")).details["failures"]?.array?.first?["next"] != nil
        }
        let status = try daemon.ask(.status(node: "p"))
        let failure = try #require(status.details["failures"]?.array?.first)
        #expect(failure["retried"] == true)
        // The jitter shortens an hour by up to 12 minutes.
        let wait = try #require(failure["next"]?.number) - (failure["time"]?.number ?? 0)
        #expect((2_880...3_601).contains(wait))
        #expect(
            status.message.contains(#/\n  tries again in (4[789]|5.)min.*, last failure of http .*\(tick:0\).*: \w/#))
        #expect(status.message.contains(#/\n  sink p/http: retrying, 0 delivered, 1 queued/#))
        #expect(!status.message.contains("and tries again"))
        let sink = try daemon.ask(.status(node: "p/http"))
        #expect(
            sink.message.contains(
                #/^sink p/http: retrying\n  takes events from p\n  0 events delivered\n  1 queued \([0-9]+ B\), /#
            ), "\(sink.message)")
        #expect(
            sink.message.contains(
                #/ B\), 0 dropped, 1 retry\n  oldest waiting event (just now|.* ago) \(tick:0, id .*\)\n  tries /#
            ), "\(sink.message)")
        #expect(sink.message.contains(#/ id .*\)\n  tries again in .*, last failure of http /#), "\(sink.message)")
        #expect(sink.details["state"] == "retrying" && sink.details["retries"] == 1 && sink.details["queued"] == 1)
        #expect(sink.details["oldest"]?["cause"] == "tick:0" && sink.details["queuedBytes"]?.number ?? 0 > 0)
        #expect(sink.details["failures"]?.array?.count == 1 && sink.details["last"] == nil)
        // By its own name, if no other sink has it.
        #expect(try daemon.ask(.status(node: "http")).details["name"] == "p/http")
        try await eventually("the failure is recorded") {
            daemon.child.errorLines.contains {
                $0.contains("http failed, and tries again") && $0.hasSuffix("(p < tick:0)")
            }
        }
        #expect(try daemon.ask(.sync(timeout: 0)).message.hasPrefix("1 event is not settled: tick:0 ("))
        try daemon.config.write(config(6))
        #expect(try daemon.ask(.reload).exitCode == 0)
        let list = try daemon.ask(.spool(.list))
        #expect(list.message == "p/http: 1 in memory")
        for name in ["p/http", "http"] {
            #expect(try daemon.ask(.spool(.show(sink: name))).details["events"]?.array?.count == 1)
        }
        #expect(try daemon.ask(.spool(.retry(sink: "http"))).message.hasPrefix("p/http tries again at once"))
        let unknown = try daemon.ask(.spool(.show(sink: "htp")))
        #expect(unknown.exitCode == 1 && unknown.message.hasPrefix("there is no sink 'htp'"))
        let early = try daemon.ask(.spool(.drop(sink: "p/http")))
        #expect(
            early.message
                == "dropped 0 events that waited for p/http; 1 event is in the sink that a reload has replaced, for up "
                + "to the time of daemon.drain")
        try await eventually("the new sink has it") {
            try daemon.ask(.spool(.drop(sink: "p/http"))).details["dropped"] == 1
        }
        let failures = try daemon.ask(.status(node: "p")).details["failures"]?.array ?? []
        #expect(failures.allSatisfy { $0["retried"] == nil }, "\(failures)")
        #expect(try daemon.ask(.sync(timeout: 0)) == ControlAnswer("nothing was unsettled", details: ["settled": 0]))
        try await daemon.stop()
    }

    /// An address that cannot be used is tried again, and a reload changes it.
    @Test func pageIsServedWhenAddressCanBeUsed() async throws {
        let folder = TemporaryDirectory()
        func config(_ page: String) -> String {
            Self.config("beat").replacing("resources: 1h", with: "resources: 1h, page: '\(page)'")
        }
        let (first, second) = (folder("later/page"), folder("page"))
        let daemon = try Daemon(config(first))
        try await daemon.child.said(
            "listening at \(first): No such file or directory; there is no status page; retrying each second")
        #expect(
            try daemon.ask(.status()).message.contains(
                "\nstatus page: none, listening at \(first): No such file or directory\n"))
        try FileManager.default.createDirectory(atPath: folder("later"), withIntermediateDirectories: false)
        try await daemon.child.said("the status page is at \(first)")
        #expect(access(first, F_OK) == 0)
        try daemon.config.write(config(second))
        #expect(try daemon.ask(.reload).exitCode == 0)
        try await daemon.child.said("the status page is at \(second)")
        #expect(access(first, F_OK) != 0)
        #expect(try daemon.ask(.status()).details["page"] == .string("at \(second)"))
        try daemon.config.write(Self.config("beat"))
        #expect(try daemon.ask(.reload).exitCode == 0)
        try await eventually("the page is gone") { access(second, F_OK) != 0 }
        try await daemon.stop()
    }

    /// Also of a source that hides a credential in its values. The answer to `fire` is the event.
    @Test(
        arguments: [
            ("command: { run: [/nonexistent/program, 'TOKEN'], every: 1h, delay: 0s }", "No such file or directory"),
            ("command: { run: [sh, -c, 'kill $$$$ # TOKEN'], every: 1h, delay: 0s }", "'sh' was ended by signal 15"),
            (
                "command: { run: [sh, -c, 'sleep 1h # TOKEN'], every: 1h, delay: 0s, timeout: 50ms }",
                "'sh' took too long and was ended"
            ),
            ("http: { url: 'http://127.0.0.1:1/TOKEN', every: 1h, delay: 0s }", "Connection refused"),
        ], ["", "${credential:token}"])
    func failedPollIsInStatus(source: (text: String, message: String), credential: String) async throws {
        let text = source.text.replacing("TOKEN", with: credential)
        let daemon = try Daemon(Self.config("out", text), credentials: ["token": "hunter2-hunter2"])
        try await daemon.child.said("ready after")
        try await eventually("it has failed") { try daemon.ask(.status(node: "tick")).details["failures"] != nil }
        let status = try daemon.ask(.status())
        #expect(status.message.contains(#/\n    failed .*\(tick:0\).*: /#) && status.message.contains(source.message))
        #expect(status.details["sources"]?["tick"]?["failures"]?.array?.first?["cause"] == "tick:0")
        // A request that comes before the command's run is over is ignored.
        try await eventually("it emits at once", within: .seconds(60)) {
            try daemon.ask(.fire(node: "tick", timeout: 5)).details["cause"] != nil
        }
        try await eventually("it has failed again") {
            try daemon.ask(.status(node: "tick")).details["failures"]?.array?.first?["count"]?.number ?? 0 > 1
        }
        // Only the first one, until a poll succeeds.
        try await daemon.child.said("tick: a poll has failed: ")
        let records = daemon.child.errorLines.filter { $0.contains("tick: a poll has failed: ") }
        #expect(records.count == 1 && records.first?.contains(source.message) == true, "\(records)")
        #expect(records.first?.contains("tick:0") == true)
        #expect(!daemon.child.errorLines.contains { $0.contains("hunter2") })
        try await daemon.stop()
    }

    @Test func fireMakesSourceEmit() async throws {
        let daemon = try Daemon(Self.config("fired", "interval: 1h"))
        try await daemon.child.said("ready after")
        #expect(
            try daemon.ask(.fire(node: "tick", timeout: 0)) == ControlAnswer("source 'tick' was asked to emit at once"))
        try await daemon.child.said("fired")
        let answer = try daemon.ask(.fire(node: "tick"))
        let id = try #require(answer.details["id"]?.string)
        #expect(answer.message.hasPrefix(#"tick:1 (\#(id)): {"tick":1,"time":"#))
        #expect(answer.details["cause"] == "tick:1" && answer.details["value"]?["tick"] == 1)
        let refusal = try daemon.ask(.fire(node: "tik"))
        #expect(refusal == ControlAnswer("there is no source 'tik'; did you mean 'tick'?", exitCode: 1))
        try await daemon.stop()
    }

    /// The answer does not come before the command ends.
    @Test func firedCommandIsAwaited() async throws {
        let source = "command: { run: [sh, -c, 'until [ -e $0 ]; do sleep 0.02; done', GO], every: 1h, delay: 1h }"
        let folder = TemporaryDirectory()
        let config = Self.config("one", source.replacing("GO", with: folder("go")))
            .replacing("tick", with: "slow")
        let daemon = try Daemon(config)
        try await daemon.child.said("ready after")
        let early = try daemon.ask(.fire(node: "slow", timeout: 0.3))
        #expect(
            early
                == ControlAnswer(
                    "source 'slow' was asked to emit, and has not after 300ms: its request or command is still running, or "
                        + "its unsettled events hold it back", exitCode: 1))
        let answers = Cell<[ControlAnswer?]>([])
        func fire() -> TestSupport.Thread {
            TestSupport.Thread { [path = "\(daemon.folder)/control"] in
                let line = ControlRequest.fire(node: "slow", timeout: 100).line
                let bytes = try? LocalCall.ask(line, at: path, within: .seconds(20))
                answers.append(bytes.flatMap { ControlAnswer($0) })
            }
        }
        func isAsked(_ times: Int) async throws {
            try await eventually("it is asked") {
                daemon.child.errorLines.count { $0.contains("slow: asked to emit at once") } == times
            }
        }
        let first = fire()
        try await isAsked(2)
        try Data().write(to: URL(fileURLWithPath: folder("go")))
        first.join()
        #expect(answers.value.first??.details["value"]?["exit"] == 0)
        try FileManager.default.removeItem(atPath: folder("go"))
        let second = fire()
        try await isAsked(3)
        try daemon.config.write(Self.config("two"))
        #expect(try daemon.ask(.reload).exitCode == 0)
        second.join()
        #expect(
            answers.value.last == ControlAnswer("source 'slow' has ended before it emitted an event", exitCode: 1))
        try daemon.config.write(config)
        #expect(try daemon.ask(.reload).exitCode == 0)
        let third = fire()
        try await isAsked(4)
        // The stop waits for no answer, and releases everything.
        try await daemon.stop()
        third.join()
        #expect(answers.value.count == 3 && answers.value[2]?.exitCode != 0)
    }

    /// Sixteen clients may follow at once; the place of one that has gone is free.
    @Test func tapsAreLimited() async throws {
        let daemon = try Daemon(Self.config("one", "interval: 1h"))
        try await daemon.child.said("ready after")
        let isOver = Cell(0)
        let answers = Cell<[String]>([])
        let clients = (0..<17).map { _ in
            TestSupport.Thread { [path = "\(daemon.folder)/control"] in
                _ = try? LocalCall.follow(ControlRequest.tap().line, at: path, within: .seconds(20)) { line in
                    if let message = ControlAnswer(line)?.message { answers.append(message) }
                    return true
                }
                isOver.update { $0 += 1 }
            }
        }
        try await eventually("one is refused") { isOver.value == 1 }
        #expect(answers.value == ["16 clients of this user follow events already; end one of them"])
        #expect(try daemon.ask(.status()).exitCode == 0)
        // The stop ends the others.
        try await daemon.stop()
        for client in clients { client.join() }
        #expect(isOver.value == 17 && answers.value.count == 1)
    }

    /// The subscriptions that the plan predicts, before anything was counted: those of the pipeline and of its steps.
    @Test(.enabled(if: Resources.isTraced)) func resourcesAreComparedWithPlan() async throws {
        let daemon = try Daemon(
            """
            daemon: { resources: 1h }
            sources: { tick: { interval: 1h } }
            pipelines:
              steady: { from: tick, steps: [first, map: .tick, debounce: 1s], to: [stdout] }
              varying: { from: tick, steps: [{ flatMap: { command: { run: ["true"] } } }], to: [stdout] }

            """)
        try await daemon.child.said("ready after")
        let answer = try daemon.ask(.resources())
        let details = answer.details
        #expect(details["pipelines"]?["steady"]?["subscriptions"] == 7)
        #expect(details["pipelines"]?["varying"]?["subscriptions"] == 5)
        #expect(details["expectedSubscriptions"] == ["steady": [7, 15]])
        #expect(
            details["expectedSteps"]?["steady"] == [
                ["step": "first", "subscriptions": 2, "varies": false],
                ["step": "map", "subscriptions": 0, "varies": false],
                ["step": "debounce", "subscriptions": 1, "varies": false],
            ])
        #expect(details["expectedSteps"]?["varying"] == [["step": "flatMap", "subscriptions": 1, "varies": true]])
        let lines = answer.message.split(separator: "\n").map(String.init)
        #expect(
            lines.first == "no pipeline has more subscriptions than expected (1 compared; 1 varies)"
                && lines[1].hasSuffix("  expected"))
        #expect(lines.first { $0.hasPrefix("  pipeline steady ") }?.hasSuffix(" 7..15") == true, "\(answer.message)")
        #expect(lines.first { $0.hasPrefix("  pipeline varying ") }?.hasSuffix(" 5, varies") == true)
        let narrow = try daemon.ask(.resources(columns: 60)).message.split(separator: "\n")
        #expect(narrow.allSatisfy { $0.count <= 60 }, "\(narrow)")
        let steady = try daemon.ask(.status(node: "steady"))
        #expect(steady.message.contains("\n  7 subscriptions, 7..15 expected"), "\(steady.message)")
        #expect(steady.details["expectedSubscriptions"] == [7, 15])
        #expect(try daemon.ask(.status()).details["leaks"] == [])
        let steps = lines.drop { !$0.hasPrefix("steps ") }.dropFirst().map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(steps == ["steady/1 first 2", "steady/3 debounce 1", "varying/1 flatMap 1, varies"])
        try await daemon.stop()
    }

    @Test func resourcesAreCountedByNodeAndOperator() async throws {
        let daemon = try Daemon(Self.config("one", "interval: 1h"))
        try await daemon.child.said("ready after")
        let answer = try daemon.ask(.resources())
        #expect(answer.exitCode == 0)
        let all = answer.message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(all.first == "no pipeline has more subscriptions than expected (1 compared)" && all[1] == "")
        let lines = Array(all.dropFirst(2))
        let nodes = lines.prefix { !$0.isEmpty }.map { $0.split(separator: " ").map(String.init) }
        #expect(nodes.map(\.first) == ["live", "daemon", "source", "pipeline"])
        #expect(nodes.first?.dropFirst(2).first == "total" && !lines.contains { $0.hasSuffix(" ") })
        let details = answer.details
        let total = try #require(details["daemon"]?["total"]?.number)
        #expect(nodes[1][1] == "\(JSON.number(total))")
        let parts = ["sources", "pipelines"].compactMap { details[$0]?.object?.members.first?.value["total"]?.number }
        #expect(parts.count == 2 && parts.allSatisfy { $0 > 0 } && parts.reduce(0, +) <= total)
        let operators = try #require(details["operators"]?.object?.members)
        #expect(operators.contains { $0.value["runs"]?.number ?? 0 > 0 })
        #expect(lines.dropFirst(nodes.count + 1).first?.hasPrefix("operators ") == true)
        #expect(
            lines.dropFirst(nodes.count + 2).map { $0.split(separator: " ").first.map(String.init) }
                == operators.map(\.key))
        try await daemon.stop()
    }

    /// The state of each node, its last event and its last failure, without credentials.
    @Test func statusShowsNodes() async throws {
        let daemon = try Daemon(
            """
            daemon: { resources: 1h }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              good: { from: tick, steps: [map: '{tick, key: "extremely secret"}'], to: [journal: "{{.tick}}"] }
              bad: { from: tick, steps: [map: 'error("extremely secret\\nsource tick: armed")'], to: [journal: "never"] }
              unused: { from: tick }
              hook:
                from: tick
                steps: [filter: "false"]
                to: [http: { url: "http://127.0.0.1:1/", headers: { X-Key: "${credential:key}" } }]

            """, credentials: ["key": "extremely secret"])
        try await daemon.child.said("bad failed")
        try await eventually("the source waits for its next tick") {
            let tick = (try? daemon.ask(.status()))?.details["sources"]?["tick"]
            return tick?["next"]?.number ?? 0 > (tick?["last"]?["time"]?.number ?? 0) + 1
        }
        let all = try daemon.ask(.status())
        #expect(all.message.hasPrefix("1 of 5 nodes fails: bad\nrxwatchd "))
        #expect(all.message.contains("\n1 source, 3 of 4 pipelines running, "))
        let lines = all.message.split(separator: "\n").map { $0.prefix { $0 != "," } }.dropFirst(3)
        #expect(
            lines.filter { !$0.hasPrefix("    ") }.prefix(4) == [
                "  source tick: armed", "  pipeline good: running", "  pipeline bad: running",
                "  pipeline unused: not running",
            ], "\(all.message)")
        let failures = lines.filter { $0.hasPrefix("    failed ") }
        #expect(failures.count == 1 && failures.first?.hasSuffix("map failed on tick:0: ${credential:key}") == true)
        // The rest of the message.
        #expect(
            lines.filter { $0.contains("source tick: armed") } == ["  source tick: armed", "      source tick: armed"])
        let tick = try #require(all.details["sources"]?["tick"])
        #expect(tick["state"] == "armed" && tick["events"] == 1 && tick["last"]?["cause"] == "tick:0")
        let wait = try #require(tick["next"]?.number) - (tick["last"]?["time"]?.number ?? 0)
        #expect((3_590...3_610).contains(wait))
        #expect(tick["failing"] == false && all.details["pipelines"]?["bad"]?["failing"] == true)
        let bad = try #require(all.details["pipelines"]?["bad"])
        #expect(bad["events"] == 0 && bad["last"] == nil)
        #expect(
            bad["failures"]?[0]?["message"]?.string?.hasSuffix(
                "map failed on tick:0: ${credential:key}\nsource tick: armed") == true)

        let good = try daemon.ask(.status(node: "good"))
        #expect(
            good.message.hasPrefix(
                "pipeline good: running\n  takes events from tick\n  1 event from 1 received, last event "))
        let id = try #require(good.details["last"]?["id"]?.string)
        #expect(id != "tick:0" && good.message.contains(" (tick:0, id \(id)), "))
        #expect(good.message.contains("\n  last value: {\"tick\":0,\"key\":\"${credential:key}\"}\n"))
        #expect(good.message.contains("\n  sink good/journal: idle, 1 delivered, the last "))
        #expect(good.details["last"]?["value"]?["tick"] == 0)
        let none = try daemon.ask(.status(node: "god"))
        #expect(
            none.exitCode == 1 && none.message == "there is no source, pipeline or sink 'god'; did you mean 'good'?")
        let sink = try daemon.ask(.status(node: "good/journal"))
        #expect(
            sink.message.contains(
                #/^sink good/journal: idle\n  takes events from good\n  1 event delivered, the last /#))
        #expect(sink.details["last"]?["id"] == good.details["last"]?["id"] && sink.details["delivered"] == 1)
        #expect(all.details["sinks"]?["good/journal"]?["delivered"] == 1)
        #expect(all.message.contains("\n  sink hook/http: idle, 0 delivered, 0 queued, 0 dropped"), "\(all.message)")
        let both = try daemon.ask(.status(node: "journal"))
        #expect(
            both.exitCode == 1
                && both.message == "2 sinks have the name 'journal': write good/journal or bad/journal")
        #expect(![all, good].contains { "\($0.json)".contains("extremely secret") })
        try await daemon.stop()
    }

    /// On a terminal no line is longer than it, and a wide one has the id and the value of the last event. A credential
    /// that a line would cut is not shown.
    @Test func statusFitsTerminal() async throws {
        let message = String(repeating: "extremely secret ", count: 20) + "refused"
        let daemon = try Daemon(
            """
            daemon: { resources: 1h }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              good: { from: tick, steps: [map: '{n: 7, key: "extremely secret"}'], to: [journal: "{{.n}}"] }
              with-a-rather-long-name-that-says-a-lot: { from: tick, steps: [map: 'error("\(message)")'], to: [stdout] }
              hook:
                from: tick
                steps: [filter: "false"]
                to: [http: { url: "http://127.0.0.1:1/", headers: { X-Key: "${credential:key}" } }]

            """, credentials: ["key": "extremely secret"])
        try await daemon.child.said("says-a-lot failed")
        try await eventually("good has emitted") { try daemon.ask(.status(node: "good")).details["events"] == 1 }
        for columns in Array(50...60) + [80, 119, 120, 140, 200] {
            let text = try daemon.ask(.status(columns: columns)).message
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines.allSatisfy { $0.count <= columns }, "\(columns): \(text)")
            #expect(lines[0].hasPrefix("1 of 4 nodes fails: with-a-"))
            #expect(!text.contains("extremely"), "\(text)")
            let good = try #require(lines.first { $0.hasPrefix("  pipeline good: running, last event ") })
            let isWide = columns >= 120
            #expect(good.contains("id tick:") == isWide && good.contains(#"value {"n":7"#) == isWide, "\(good)")
            let failure = lines.filter { $0.hasPrefix("    ") }
            // The name of the pipeline is in the line above.
            #expect(!failure.joined().contains("says-a-lot"), "\(text)")
            #expect((1...3).contains(failure.count) && failure.last?.hasSuffix("refused") == true, "\(text)")
        }
        try await daemon.stop()
    }

    /// A pipeline that has failed on an event, and emitted a later one.
    @Test func pipelineThatEmitsDoesNotFail() async throws {
        let daemon = try Daemon(
            """
            daemon: { resources: 1h }
            sources: { tick: { interval: 20ms } }
            pipelines:
              p: { from: tick, steps: [map: 'if .tick == 0 then error("no") else .tick end'], to: [journal: "{{.}}"] }

            """)
        try await daemon.child.said("p failed")
        try await eventually("it works again") {
            let p = try daemon.ask(.status()).details["pipelines"]?["p"]
            return p?["failing"] == false && p?["failures"]?.array?.count == 1
        }
        #expect(try daemon.ask(.status()).message.hasPrefix("0 of 2 nodes fail\nrxwatchd "))
        try await daemon.stop()
    }

    /// Objects beyond those that are expected, for Prometheus.
    @Test(.enabled(if: Resources.isTraced)) func leaksAreMetrics() async throws {
        let folder = TemporaryDirectory()
        let page = folder("page")
        let daemon = try Daemon(
            Self.config("beat").replacing("resources: 1h", with: "resources: 1h, page: '\(page)'"))
        try await daemon.child.said("the status page is at \(page)")
        try await daemon.child.said("ready after")
        let request = Array("GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r".utf8)
        let answer = String(decoding: try LocalCall.ask(request, at: page, within: .seconds(20)), as: UTF8.self)
        #expect(answer.contains("\n# TYPE rxwatchd_leaks gauge\nrxwatchd_leaks 0\n"), "\(answer)")
        #expect(answer.contains("\nrxwatchd_excess_subscriptions{node=\"p\",kind=\"pipeline\"} 0\n"))
        // The total would count each object twice in a sum.
        #expect(answer.contains("\nrxwatchd_live_resources{kind=\"subscriptions\"} "))
        #expect(!answer.contains("kind=\"total\""))
        try await daemon.stop()
    }

    /// Also one that is opened while another one gets what has changed.
    @Test func eachPageGetsWholeStatusFirst() async throws {
        let folder = TemporaryDirectory()
        let page = folder("page")
        let daemon = try Daemon(
            Self.config("beat").replacing("resources: 1h", with: "resources: 1h, page: '\(page)'"))
        try await daemon.child.said("the status page is at \(page)")
        try await daemon.child.said("ready after")
        /// Reads this number of statuses, and returns whether each has all nodes.
        func statuses(_ count: Int) throws -> [Bool] {
            var (isStatus, areWhole) = (false, [Bool]())
            let request = Array("GET /stream HTTP/1.0\r\nHost: localhost\r\n\r".utf8)
            try LocalCall.follow(request, at: page, within: .seconds(20)) { line in
                if line.starts(with: "event: ".utf8) { isStatus = line.elementsEqual("event: status".utf8) }
                if isStatus, line.starts(with: "data: ".utf8) {
                    let data = try? JSON(parsing: Array(line.dropFirst("data: ".utf8.count)))
                    areWhole.append(data?["stages"]?.array?.contains { $0["sections"] != nil } == true)
                    // Another page is opened when this one has got changes.
                    if count > 1, areWhole.count == count { #expect((try? statuses(1)) == [true]) }
                }
                return areWhole.count < count
            }
            return areWhole
        }
        #expect(try statuses(2) == [true, false])
        try await daemon.stop()
    }

    /// A daemon that was started by hand says where it listens, and removes the socket at the end.
    @Test func daemonStartedByHandListens() async throws {
        let folder = TemporaryDirectory()
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path, environment: ["XDG_RUNTIME_DIR=\(folder.path)"])
        try await child.said("ready after")
        func control(of child: Child) throws -> Substring {
            let line = try #require(child.errorLines.first { $0.contains("listening at ") })
            return try #require(line.split(separator: " ").first { $0.hasPrefix(folder.path) }).dropLast()
        }
        let socket = try control(of: child)
        #expect(socket.hasPrefix("\(folder.path)/rxwatchd-") && socket.hasSuffix(".control"))
        let bytes = try LocalCall.ask(ControlRequest.status().line, at: String(socket), within: .seconds(20))
        #expect(ControlAnswer(bytes)?.exitCode == 0)
        let others = "another rxwatchd is running"
        #expect(!child.errorLines.contains { $0.contains(others) && $0.contains(folder.path) })
        // The path of the status is not relative to the working directory of the daemon.
        let relative = String(repeating: "../", count: 40) + config.path.dropFirst()
        let second = try Child("--config", relative, environment: ["XDG_RUNTIME_DIR=\(folder.path)"])
        try await eventually("it is recorded") {
            second.errorLines.contains { $0.contains(others) && $0.contains(socket) }
        }
        try await second.said("ready after")
        let other = try String(control(of: second))
        let status = try LocalCall.ask(ControlRequest.status().line, at: other, within: .seconds(20))
        #expect(ControlAnswer(status)?.message.contains(" of \(config.path), up ") == true)
        for child in [second, child] {
            child.send(SIGTERM)
            #expect(try await child.exitCode() == 0)
        }
        #expect(!FileManager.default.fileExists(atPath: String(socket)))
    }

    /// The manual names every member of the answers.
    @Test func membersOfAnswersAreInManual() async throws {
        let folder = TemporaryDirectory()
        let config = """
            daemon: { page: "\(folder("page"))" }
            sources: { tick: { interval: { every: 1h, delay: 0s } } }
            pipelines:
              p: { from: tick, steps: [tag: t, map: .tick], to: [http: { url: "http://127.0.0.1:1/", retry: { times: 9, backoff: 1h..1h } }] }
              spooled: { from: tick, to: [http: { url: "http://127.0.0.1:1/", queue: { disk: 1MiB }, retry: { times: 9, backoff: 1h..1h } }] }
              failed: { from: tick, steps: [delay: 1h], to: [stdout] }

            """
        let daemon = try Daemon(config, credentials: [:], keepsState: true)
        try await daemon.child.said("ready after")
        try await eventually("a sink tries again") {
            try daemon.ask(.status(node: "p")).details["failures"]?.array?.first?["next"] != nil
        }
        try daemon.config.write("sources: 1")
        _ = try daemon.ask(.reload)
        let answers = try [
            .status(), .status(node: "p"), .graph, .resources(), .spool(.list), .spool(.show(sink: "p/http")),
            .sync(timeout: 0.1), .fire(node: "tick"), .plan,
        ].map { try daemon.ask($0).details }
        func keys(_ json: JSON, in key: String = "") -> Set<String> {
            // The members of these are named by the configuration, or are not ours.
            if ["value", "operators", "heldBy", "expectedSubscriptions"].contains(key) { return [] }
            let isNamed = ["sources", "pipelines", "sinks", "tags", "expectedSteps"].contains(key)
            let members = json.object?.members.map { ($0.key, $0.value) } ?? []
            let parts =
                (json.array ?? []).map { keys($0, in: "") } + members.map { keys($0.1, in: isNamed ? "" : $0.0) }
            return parts.reduce(Set(isNamed ? [] : members.map(\.0))) { $0.union($1) }
        }
        let found = answers.reduce(Set<String>()) { $0.union(keys($1)) }
        #expect(found.isSuperset(of: ["version", "retried", "reloadFailure", "stored", "unsettled", "page"]))
        #expect(try found.subtracting(DeployedFile("man/rxwatchctl.1").manualLiterals) == [])
        try await daemon.stop()
    }

    /// Sixteen requests of a user may wait for events; the others are answered.
    @Test func waitingRequestsAreLimited() async throws {
        let config = """
            sources: { files: { files: { paths: ["FOLDER"], settle: 50ms } } }
            pipelines: { stuck: { from: files, steps: [delay: 1h], to: [stdout] } }

            """
        let folder = TemporaryDirectory()
        let daemon = try Daemon(config.replacing("FOLDER", with: folder.path))
        try await daemon.child.said("ready after")
        try Data().write(to: URL(fileURLWithPath: folder("a")))
        try await eventually("the event is there") { try daemon.ask(.status(node: "files")).details["unsettled"] == 1 }
        let answers = Cell<[String]>([])
        let clients = (0..<17).map { _ in
            TestSupport.Thread { [path = "\(daemon.folder)/control"] in
                let bytes = try? LocalCall.ask(ControlRequest.sync(timeout: 100).line, at: path, within: .seconds(60))
                answers.append(bytes.flatMap { ControlAnswer($0)?.message } ?? "none")
            }
        }
        try await eventually("one is refused") { !answers.value.isEmpty }
        #expect(answers.value == ["16 requests of this user wait already; end one of them"])
        #expect(try daemon.ask(.reload).exitCode == 0 && daemon.ask(.status()).exitCode == 0)
        try await daemon.stop()
        for client in clients { client.join() }
        #expect(answers.value.count == 17)
        #expect(daemon.child.errorLines.last?.hasSuffix(": 0 live objects, as before the start") == true)
    }

    /// A client that has gone makes room for another one, also while its request waits.
    @Test func abandonedRequestsMakeRoom() async throws {
        let folder = TemporaryDirectory()
        let daemon = try Daemon(
            """
            sources: { files: { files: { paths: ["\(folder.path)"], settle: 50ms } } }
            pipelines: { stuck: { from: files, steps: [delay: 1h], to: [stdout] } }

            """)
        try await daemon.child.said("ready after")
        try Data().write(to: URL(fileURLWithPath: folder("a")))
        try await eventually("the event is there") { try daemon.ask(.status(node: "files")).details["unsettled"] == 1 }
        // Each is gone before its answer.
        for _ in 0..<50 {
            #expect(throws: SystemError.self) {
                try LocalCall.ask(
                    ControlRequest.sync(timeout: 100).line, at: "\(daemon.folder)/control", within: .milliseconds(20))
            }
        }
        let answer = try daemon.ask(.sync(timeout: 0.1))
        #expect(answer.message.hasPrefix("1 event is not settled after 100ms"), "\(answer)")
        try await daemon.stop()
    }

    private static let branching = """
        daemon: { resources: 1h }
        sources:
          tick: { interval: { every: 1h, delay: 0s } }
          tock: { interval: { every: 1h, delay: 0s } }
        pipelines:
          both: { merge: [tick, tock], steps: [{ map: .tick }] }
          out: { from: both, to: [journal: "one", journal: "two"] }

        """

    @Test func graphShowsNodesOfConfigAndWhatTheyTakeEventsFrom() async throws {
        let daemon = try Daemon(Self.branching)
        try await daemon.child.said("ready after")
        try await eventually("both events have passed") {
            try daemon.ask(.status(node: "out")).details["events"] == 2
        }
        // Until then, an event may be in the queue of a sink.
        #expect(try daemon.ask(.sync(timeout: 10)).exitCode == 0)
        let answer = try daemon.ask(.graph)
        #expect(answer.exitCode == 0)
        let lines = answer.message.split(separator: "\n").map(String.init)
        let names = lines.map { $0.split(separator: ":").first.map(String.init) ?? "" }
        // A pipeline with several inputs is below the first one, and then referred to.
        #expect(
            names == [
                "source tick", "  pipeline both from tick, tock", "    pipeline out", "      sink journal",
                "      sink journal-2", "source tock", "  pipeline both, see above",
            ])
        #expect(lines[0].contains(" 1 event, ") && lines[0].contains(" unsettled"))
        #expect(lines[1].contains(" 2 events from 2 received") && lines[2].hasSuffix(" 2 events"))
        #expect(lines[3] == "      sink journal: 0 queued, 0 dropped")
        let nodes = answer.details["nodes"]?.array ?? []
        #expect(
            nodes.compactMap { $0["kind"]?.string } == ["source", "source", "pipeline", "pipeline", "sink", "sink"])
        let both = try #require(nodes.dropFirst(2).first)
        #expect(both["inputs"] == ["tick", "tock"] && both["events"] == 2 && both["received"] == 2)
        #expect(answer.details["subscriptions"] == nil)
        let dot = try #require(answer.details["dot"]?.string)
        for edge in [#""tick" -> "both""#, #""both" -> "out""#, #""out" -> "out/journal-2""#] {
            #expect(dot.contains("  \(edge);\n"))
        }
        let mermaid = (answer.details["mermaid"]?.string ?? "").split(separator: "\n")
        #expect(mermaid.first == "flowchart LR" && mermaid.count == 1 + 6 + 5)
        #expect(mermaid[1].hasPrefix("  n0([\"tick<br/>"))
        #expect(mermaid[6] == "  n5[/\"journal-2<br/>0 queued<br/>0 dropped\"/]")
        #expect(mermaid.suffix(5) == ["  n0 --> n2", "  n1 --> n2", "  n2 --> n3", "  n3 --> n4", "  n3 --> n5"])
        #if TRACE_RESOURCES
        #expect(nodes.prefix(4).allSatisfy { ($0["subscriptions"]?.number ?? 0) > 0 })
        #endif
        try await daemon.stop()
    }

    /// With the environment variable, also after a reload; and what is recorded does not count as leaked.
    @Test func graphShowsLiveSubscriptionsIfRecorded() async throws {
        let daemon = try Daemon(Self.branching, recording: "elements")
        try await daemon.child.said("ready after")
        try daemon.config.write(Self.branching + "# changed\n")
        #expect(try daemon.ask(.reload).exitCode == 0)
        let answer = try daemon.ask(.graph)
        #if TRACE_RESOURCES
        #expect(answer.message.contains("\nlive subscriptions:\n  subscription, "))
        let nodes = answer.details["subscriptions"]?["nodes"]?.array ?? []
        #expect(nodes.contains { $0["account"] == "both" && $0["name"] == "merge" })
        #expect(nodes.contains { ($0["elements"]?.number ?? 0) > 0 })
        #expect(answer.details["subscriptionsDot"]?.string?.hasPrefix("digraph subscriptions {") == true)
        #endif
        try await daemon.stop()
        #expect(!daemon.child.errorLines.contains { $0.contains("leak") })
    }

    @Test func wrongRecordingIsAWarning() async throws {
        let daemon = try Daemon(Self.branching, recording: "all")
        try await daemon.child.said(
            "RXWATCHD_RECORD is 'all', which is ignored: set it to off, subscriptions or elements")
        try await daemon.child.said("ready after")
        try await daemon.stop()
    }

    /// Reloads that are requested while one is running are one, and all are answered.
    @Test func concurrentReloadsAreCombined() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        let answers = Cell<[ControlAnswer]>([])
        let socket = "\(daemon.folder)/control"
        inParallel(20) { _ in
            guard let bytes = try? LocalCall.ask(ControlRequest.reload.line, at: socket, within: .seconds(20)),
                let answer = ControlAnswer(bytes)
            else { return }
            answers.append(answer)
        }
        #expect(answers.value.count == 20 && answers.value.allSatisfy { $0.exitCode == 0 })
        let generation = try #require(daemon.generation?.number)
        #expect(generation >= 2 && generation < 15, "\(generation)")
        try await daemon.stop()
    }

    /// A socket at which another process listens is not taken away, and is taken when that process has ended.
    @Test func socketInUseAtStartIsTakenLater() async throws {
        let directory = TemporaryDirectory()
        let folder = directory.path
        let other = LocalServer.requests(at: "\(folder)/control", on: DispatchQueue(label: "other"))
            .subscribe(onNext: { $0.answer([]) })
        let config = try ConfigFile(Self.config("one"))
        let child = try Child("--config", config.path, environment: ["RUNTIME_DIRECTORY=\(folder)"])
        try await child.said("rxwatchctl cannot connect to this daemon")
        try await child.said("ready after")
        other.dispose()
        try await child.said("rxwatchctl can connect to this daemon")
        let bytes = try LocalCall.ask(ControlRequest.status().line, at: "\(folder)/control", within: .seconds(20))
        #expect(ControlAnswer(bytes)?.exitCode == 0)
        #expect(child.errorLines.count { $0.contains("cannot connect to") } == 1)
        child.send(SIGTERM)
        #expect(try await child.exitCode() == 0)
    }

    /// A hundred reloads at once and five thousand signals among silent connections: all are answered, and nothing
    /// leaks.
    @Test func manyReloadsAreAnsweredAmongSilentConnections() async throws {
        let daemon = try Daemon(Self.config("one"))
        try await daemon.child.said("ready after")
        let socket = "\(daemon.folder)/control"
        let silent = (0..<300).map { _ in Self.connect(to: socket) }
        defer { for connection in silent { close(connection) } }
        #expect(silent.allSatisfy { $0 >= 0 })
        let (answers, child) = (Cell<[ControlAnswer]>([]), daemon.child)
        inParallel(100) { number in
            for _ in 0..<50 { child.send(SIGHUP) }
            guard let bytes = try? LocalCall.ask(ControlRequest.reload.line, at: socket, within: .seconds(20)),
                let answer = ControlAnswer(bytes)
            else { return }
            answers.append(answer)
        }
        #expect(answers.value.count == 100 && answers.value.allSatisfy { $0.exitCode == 0 })
        #expect(try daemon.ask(.status()).exitCode == 0)
        try await daemon.stop()
        #expect(!daemon.child.errorLines.contains { $0.contains("leak") || $0.contains(" error ") })
    }

    private static func connect(to path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        return status == 0 ? descriptor : -1
    }

    /// Watching a large tree takes a while, during which the socket already answers.
    @Test func reloadDuringStartIsAnswered() async throws {
        let daemon = try Daemon(Self.config("one", "files: { paths: [/usr/share], recursive: true }"))
        var answer: ControlAnswer?
        try await eventually("the socket answers", within: .seconds(40)) {
            do {
                answer = try daemon.ask(.reload)
                return true
            } catch let error as SystemError where [ENOENT, ECONNREFUSED].contains(error.number) {
                return false
            }
        }
        #expect(answer?.message == "reloaded \(daemon.config.path): 1 source, 1 pipeline; nothing has changed")
        #expect(answer?.details["counts"] == ["keep": 3])
        try await daemon.child.said("ready after")
        try await daemon.stop()
    }

    @Test func reloadDuringStopIsRefused() async throws {
        let folder = TemporaryDirectory()
        let flag = folder("flag")
        let work = "echo >\(flag); while [ -e \(flag) ]; do sleep 0.05; done"
        let config = Self.config("one").replacingOccurrences(of: "resources: 1h", with: "drain: 10min")
            .replacingOccurrences(of: "journal: \"one\"", with: "command: { run: [sh, -c, '\(work)'] }")
        let daemon = try Daemon(config)
        try await daemon.child.said("ready after")
        try await eventually("the command runs") { access(flag, F_OK) == 0 }
        daemon.child.send(SIGTERM)
        try await daemon.child.said("stopping on SIGTERM")
        #expect(try daemon.ask(.reload) == ControlAnswer("stopping on SIGTERM", exitCode: 1))
        unlink(flag)
        #expect(try await daemon.child.exitCode() == 0)
    }

    /// A credential that only the service has is shown neither in answers nor in records.
    @Test func missingCredentialIsReportedAndNeverShown() async throws {
        let source = "command: { run: [echo, \"is ${credential:token}\"], every: 1h }"
        let daemon = try Daemon(Self.config("said {{.stdout}}", source), credentials: ["token": "hunter2-Z9"])
        try await daemon.child.said("said is ${credential:token}")
        var answers = try [daemon.ask(.status())]
        try daemon.config.write(Self.config("two", source.replacingOccurrences(of: "token", with: "tokn")))
        let refusal = try daemon.ask(.reload)
        #expect(refusal.exitCode == 78)
        #expect(refusal.message.hasPrefix("\(daemon.config.path):2:47: there is no credential 'tokn'"), "\(refusal)")
        #expect(daemon.generation == 1)
        try daemon.config.write(
            Self.config("two", "http: { url: \"ftp://${credential:token}/\", every: 1s }"))
        let wrong = try daemon.ask(.reload)
        #expect(wrong.exitCode == 78 && wrong.message.contains("'ftp://${credential:token}' is not a URL"))
        answers += [refusal, wrong]
        try await daemon.stop()
        let said = answers.map(\.json.description) + daemon.child.errorLines + daemon.child.outputLines
        #expect(said.allSatisfy { !$0.contains("hunter2") })
    }

    /// A credential that is too short to be hidden is recorded once, by its name and where it is used.
    @Test func shortCredentialIsWarnedOfOnce() async throws {
        let source = "command: { run: [echo, \"${credential:pin} ${credential:token}\"], every: 1h }"
        let daemon = try Daemon(
            Self.config("said {{.stdout}}", source), credentials: ["pin": "123", "token": "hunter2-Z9"])
        try await daemon.child.said("said 123 ${credential:token}")
        for name in ["two", "three"] {
            try daemon.config.write(Self.config("\(name) {{.stdout}}", source))
            #expect(try daemon.ask(.reload).exitCode == 0)
        }
        try await daemon.stop()
        let warnings = daemon.child.errorLines.filter { $0.contains("fewer than 4 bytes") }
        #expect(warnings.count == 1, "\(warnings)")
        #expect(
            warnings.first?.contains(
                ".yaml:2:44: warning: the credential 'pin' has fewer than 4 bytes, so records and output show it")
                == true,
            "\(warnings)")
    }

    /// The credentials of the running configuration are hidden, however many other configurations were read and refused
    /// meanwhile; so are their base64 forms.
    @Test func refusedReloadsShowNoCredential() async throws {
        let script = #"echo "failed $T $(printf "user:$T" | base64)" >&2; exit 1"#
        let config = """
            daemon: { resources: 1h }
            sources: { beat: { interval: 20ms } }
            pipelines:
              p: { from: beat, to: [command: { run: [sh, -c, '\(script)'], environment: { T: "${credential:token}" } }] }
            """
        let daemon = try Daemon(config, credentials: ["token": "hunter2-Z9"])
        try await daemon.child.said("failed ${credential:token}")
        try daemon.config.write(
            """
            sources: { log: { journal: { directory: /nonexistent } } }
            pipelines: { p: { from: log, to: [stdout] } }
            """)
        for _ in 0..<3 { #expect(try daemon.ask(.reload).exitCode == 1) }
        let before = daemon.child.errorLines.count { $0.contains("failed ${credential:token}") }
        try await eventually("the command fails again") {
            daemon.child.errorLines.count { $0.contains("failed") } >= before + 3
        }
        try await daemon.stop()
        let said = daemon.child.errorLines
        #expect(said.allSatisfy { !$0.contains("hunter2") && !$0.contains("aHVudGVy") && !$0.contains("odW50ZXIy") })
    }

    /// A source's requirement is missing: the reload fails with the reason, and the running configuration continues.
    @Test func sourceThatCannotBeArmedFailsReload() async throws {
        let daemon = try Daemon(Self.config("beat {{.tick}}", "interval: 5ms"))
        try await daemon.child.said("beat 3")
        try daemon.config.write(
            Self.config("two", "interval: 5ms").replacingOccurrences(
                of: "sources: {", with: "sources: { log: { journal: {} },"
            ).replacingOccurrences(of: "from: tick", with: "merge: [tick, log]"))
        // Enough for a connection and the configuration, and not for a journal.
        try daemon.child.allow(descriptors: (daemon.child.descriptors.keys.max() ?? 0) + 3)
        let answer = try daemon.ask(.reload)
        try daemon.child.allow(descriptors: 1024)
        #expect(
            answer.exitCode == 1
                && answer.message.contains(
                    "was not loaded, the previous configuration keeps running: log cannot be armed: "),
            "\(answer)")
        #expect(daemon.generation == 1)
        let beats = daemon.child.errorLines.count { $0.contains(" beat ") }
        try await daemon.child.said(" beat ", times: beats + 3)
        let record = try #require(daemon.child.errorLines.first { $0.contains(" reload ") })
        #expect(record.contains("was not loaded, the previous configuration keeps running: log cannot be armed: "))
        #expect(!daemon.child.errorLines.contains { $0.contains("event     two") })
        try await daemon.stop()
    }
}
