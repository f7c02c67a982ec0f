import Dispatch
import Foundation
import Glibc
import RxControl
import RxLinux
import TestSupport
import Testing

@testable import rxwatchctl

/// Commands on a terminal: a pseudoterminal, and a server in place of the daemon.
@Suite(.balanced) struct FullScreenTests {
    /// A server that answers as the daemon does.
    private func serve(_ body: (_ path: String, _ stream: Cell<LocalStream?>) async throws -> Void) async throws {
        let folder = TemporaryDirectory()
        let (path, stream) = (folder("control"), Cell<LocalStream?>(nil))
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            switch try? ControlRequest(line: request.text) {
            case .status(nil, _):
                request.answer(
                    ControlAnswer(
                        "", details: ["version": "9", "sources": ["tick": ["name": "tick", "events": 7]]]
                    ).bytes)
            case .status: request.answer(ControlAnswer("source tick: armed").bytes)
            case .graph:
                request.answer(ControlAnswer("", details: ["nodes": [["kind": "source", "name": "tick"]]]).bytes)
            case .tap: stream.update { $0 = request.stream(onEnd: {}) }
            default: break
            }
        })
        try await body(path, stream)
        stream.update { $0 = nil }
        server.dispose()
    }

    @Test func topIsDrawnAndEnds() async throws {
        try await serve { path, _ in
            let top = try TerminalProcess(Run.program, ["top", "--control", path])
            try await top.shows("tick")
            #expect(top.text.hasPrefix("\u{1B}[?1049h") && top.text.contains("rxwatchd 9, generation 0"))
            #expect(!top.text.contains("KIND"))
            top.resize(columns: 120, rows: 10)
            try await top.shows("KIND")
            top.press("j\r")
            try await top.shows("source tick: armed")
            let before = top.text.count
            top.press("\u{1B}")
            try await eventually("the table is back") { top.text.dropFirst(before).contains("by failures") }
            top.press("q")
            try await top.endsAsItBegan()
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalRestoresTerminal(signal: Int32) async throws {
        try await serve { path, _ in
            let top = try TerminalProcess(Run.program, ["top", "--control", path])
            try await top.shows("tick")
            #expect(!top.isCooked)
            kill(top.process.id, signal)
            try await top.endsAsItBegan()
        }
    }

    @Test func topShowsThatNothingAnswers() async throws {
        let top = try TerminalProcess(Run.program, ["top", "--control", "/nonexistent/control"])
        try await top.shows("connecting to /nonexistent/control")
        top.press("\u{3}")
        try await top.ends()
    }

    @Test func marblesGrow() async throws {
        try await serve { path, stream in
            let marbles = try TerminalProcess(Run.program, ["marbles", "--frame", "50ms", "--control", path])
            try await eventually("the client follows") { stream.value != nil }
            func emit(_ line: String) {
                _ = stream.value?.send(Array((line + "\n").utf8))
            }
            let now = Date().timeIntervalSince1970
            emit(#"{"time":\#(now),"node":"tick","value":{"a":1}}"#)
            try await marbles.shows(#"a = {"a":1}"#)
            emit(#"{"time":\#(now),"node":"tick","failed":"no route"}"#)
            try await marbles.shows("# = tick failed: no route")
            marbles.press("q")
            try await marbles.ends()
            try await eventually("the diagrams stay on the terminal") {
                let left = marbles.text.split(separator: "\u{1B}[?1049l").last ?? ""
                return left.contains("tick  ") && left.contains("# = tick failed: no route")
            }
        }
    }

    @Test func marblesEndWithDaemon() async throws {
        try await serve { path, stream in
            let marbles = try TerminalProcess(Run.program, ["marbles", "tick", "--control", path])
            try await eventually("the client follows") { stream.value != nil }
            stream.value?.end()
            try await marbles.ends()
        }
    }

    /// What has failed is red, unless the user or the terminal wants no colors.
    @Test(arguments: [([], true), (["NO_COLOR=1"], false), (["NO_COLOR="], true), (["TERM=dumb"], false)])
    func failuresAreRed(environment: [String], isColored: Bool) async throws {
        let folder = TemporaryDirectory()
        let path = folder("control")
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: {
            $0.answer(ControlAnswer("pipeline p: running\n  failed 3s ago: no route").bytes)
        })
        let status = try TerminalProcess(Run.program, ["status", "--control", path], environment: environment)
        try await status.shows("failed 3s ago: no route")
        try await status.ends()
        #expect(status.text.contains("\u{1B}[31m  failed 3s ago: no route\u{1B}[0m") == isColored)
        #expect(status.text.contains("\u{1B}") == isColored)
        server.dispose()
    }

    /// An error of the command line, of the connection, and an answer without a color of its own.
    @Test(arguments: [([], true), (["NO_COLOR=1"], false), (["TERM=dumb"], false)])
    func errorsAreRed(environment: [String], isColored: Bool) async throws {
        let folder = TemporaryDirectory()
        let path = folder("control")
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: {
            $0.answer(ControlAnswer("there is no source 'a'", exitCode: 1).bytes)
        })
        for (arguments, error) in [
            (["chekc"], "rxwatchctl: unknown command 'chekc'; did you mean check?"),
            (["replay", "--since", "1h"], "rxwatchctl: --since needs --journal; see rxwatchctl replay --help"),
            (
                ["reload", "--control", "/nonexistent"],
                "rxwatchctl: connecting to /nonexistent: No such file or directory; start the daemon, or check "
                    + "--control"
            ),
            (["fire", "a", "--control", path], "there is no source 'a'"),
            (["tap", "a", "--control", path], "there is no source 'a'"),
            (["marbles", "a", "--control", path], "there is no source 'a'"),
        ] {
            let command = try TerminalProcess(Run.program, arguments, environment: environment, columns: 200)
            try await command.ends(1)
            #expect(command.text.contains("\u{1B}[31m\(error)\u{1B}[0m") == isColored, "\(command.text)")
            #expect(command.text.contains(error))
        }
        server.dispose()
    }

    /// Failures are red, and what is missing is yellow.
    @Test(arguments: [([], true), (["NO_COLOR=1"], false)])
    func tapHasColors(environment: [String], isColored: Bool) async throws {
        try await serve { path, stream in
            let tap = try TerminalProcess(
                Run.program, ["tap", "--control", path], environment: environment, columns: 200)
            try await eventually("the client follows") { stream.value != nil }
            for line in [
                #"{"time":0,"node":"p","value":"it has failed","cause":"t:1"}"#,
                #"{"time":0,"node":"p","failed":"no route","sink":"http"}"#,
                #"{"time":0,"node":"p","value":2,"cause":"t:9","dropped":7}"#,
            ] { _ = stream.value?.send(Array((line + "\n").utf8)) }
            stream.value?.end()
            try await tap.ends(1)
            let (red, yellow, plain) = isColored ? ("\u{1B}[31m", "\u{1B}[33m", "\u{1B}[0m") : ("", "", "")
            #expect(tap.text.contains("\(red)00:00:00.000  p  failed at http: no route\(plain)\r\n"), "\(tap.text)")
            #expect(tap.text.contains("\(yellow)00:00:00.000  p  2  (t:9) (7 lines before it are missing)\(plain)\r\n"))
            #expect(tap.text.contains("\(red)rxwatchctl: the daemon at \(path) has stopped\(plain)\r\n"))
            #expect(tap.text.hasPrefix("00:00:00.000  p  \"it has failed\"  (t:1)\r\n"))
        }
    }

    /// On the screen, and in what stays of it.
    @Test(arguments: [([], true), (["NO_COLOR=1"], false)])
    func failureInMarblesIsRed(environment: [String], isColored: Bool) async throws {
        try await serve { path, stream in
            let marbles = try TerminalProcess(
                Run.program, ["marbles", "--frame", "50ms", "--control", path], environment: environment)
            try await eventually("the client follows") { stream.value != nil }
            let now = Date().timeIntervalSince1970
            let line = #"{"time":\#(now),"node":"tick","failed":"no route"}"# + "\n"
            _ = stream.value?.send(Array(line.utf8))
            try await marbles.shows("# = tick failed: no route")
            marbles.press("q")
            try await marbles.ends()
            let parts = marbles.text.components(separatedBy: "\u{1B}[?1049l")
            #expect(parts.count == 2)
            for part in parts {
                #expect(part.contains("\u{1B}[31m# = tick failed: no route\u{1B}[0m") == isColored, "\(part)")
            }
        }
    }

    @Test func watchedResourcesAreDrawnAgain() async throws {
        let folder = TemporaryDirectory()
        let (path, count) = (folder("control"), Cell(0))
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: {
            count.update { $0 += 1 }
            $0.answer(ControlAnswer("live \(count.value)").bytes)
        })
        let resources = try TerminalProcess(Run.program, ["resources", "--watch", "--control", path])
        try await resources.shows("live 2")
        #expect(resources.text.split(separator: "live 2").first?.hasSuffix("\u{1B}[H\u{1B}[J") == true)
        kill(resources.process.id, SIGINT)
        try await eventually("it ends") { resources.codeIfEnded() != nil }
        server.dispose()
    }

    /// A command that waits for an answer says so after a second, until the answer comes.
    @Test func waitIsShown() async throws {
        let folder = TemporaryDirectory()
        let (path, waiting) = (folder("control"), Cell<LocalRequest?>(nil))
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            waiting.update { $0 = request }
        })
        let sync = try TerminalProcess(Run.program, ["sync", "--control", path])
        try await sync.shows("\rwaiting for everything to be settled, 1 s (Ctrl-C ends the wait)\u{1B}[K")
        waiting.value?.answer(ControlAnswer("nothing was unsettled").bytes)
        try await sync.shows("\r\u{1B}[Knothing was unsettled")
        try await sync.ends()
        waiting.update { $0 = nil }
        server.dispose()
    }

    @Test func topNeedsTerminal() throws {
        let run = try Run(["top", "--control", "/nonexistent/control"])
        #expect(run.code == 1 && run.errors.hasPrefix("rxwatchctl: top needs a terminal"))
    }

    @Test(arguments: [["marbles", "--frame", "1ms"], ["marbles", "--frame", "x"], ["sync", "--timeout", "1h"]])
    func unsuitableDurationsAreErrors(arguments: [String]) throws {
        let run = try Run(arguments)
        #expect(run.code == 1 && run.errors.hasPrefix("rxwatchctl: --\(arguments[1].dropFirst(2))"))
    }
}
