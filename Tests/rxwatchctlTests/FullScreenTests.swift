import ChildProcesses
import Dispatch
import Foundation
import Glibc
import RxControl
import RxEngine
import RxLinux
import TestSupport
import Testing

@testable import rxwatchctl

/// Commands on a terminal: a pseudoterminal, and a server in place of the daemon.
@Suite(.balanced) struct FullScreenTests {
    /// A command on a terminal, and what it writes there.
    private final class Command {
        /// `TIOCGPTN` and `TIOCSPTLCK`, which Swift does not import.
        private static let (number, lock) = (UInt(0x8004_5430), UInt(0x4004_5431))
        private let terminal: Int32
        private let reading: any Disposable
        private let written = Cell<[UInt8]>([])
        let process: ChildProcess

        init(
            _ arguments: [String], environment: [String] = [], columns: UInt16 = 80, rows: UInt16 = 24
        ) throws {
            terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (number, locked) = (Int32(-1), Int32(0))
            try #require(ioctl(terminal, Self.number, &number) == 0 && ioctl(terminal, Self.lock, &locked) == 0)
            let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            try #require(other >= 0 && ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
            process = try ChildProcess(
                Run.program, arguments, environment: environment, input: .descriptor(other),
                output: .descriptor(other), errors: .descriptor(other))
            close(other)
            let terminal = terminal
            reading = Observable<DescriptorEvent>.fd(terminal).subscribe(onNext: { [written] _ in
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(terminal, &bytes, bytes.count)
                let block = Array(bytes.prefix(max(0, count)))
                written.update { $0 += block }
            })
        }

        deinit {
            reading.dispose()
            close(terminal)
        }

        var text: String { String(decoding: written.value, as: UTF8.self) }

        func press(_ keys: String) { _ = keys.withCString { write(terminal, $0, strlen($0)) } }

        func resize(columns: UInt16, rows: UInt16) {
            var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
            // The terminal is not the controlling one of the process, which the kernel would signal.
            kill(process.id, SIGWINCH)
        }

        func shows(_ text: String) async throws {
            try await eventually("'\(text)' in \(self.text.debugDescription)") { self.text.contains(text) }
        }

        /// Whether the terminal reads lines and echoes them, as for a shell.
        var isCooked: Bool {
            var mode = termios()
            return tcgetattr(terminal, &mode) == 0 && mode.c_lflag & UInt32(ICANON | ECHO) == UInt32(ICANON | ECHO)
        }

        /// Ends with success, and leaves the terminal as it was.
        func endsAsItBegan() async throws {
            try await ends()
            try await eventually("the screen is as before") { self.text.hasSuffix("\u{1B}[?1049l") }
            #expect(isCooked)
        }

        func ends(_ code: Int32 = 0) async throws {
            var ended: Int32?
            try await eventually("the command ends, not \(text.debugDescription)") {
                ended = ended ?? self.process.codeIfEnded()
                return ended != nil
            }
            #expect(ended == code)
        }
    }

    /// A server that answers as the daemon does.
    private func serve(_ body: (_ path: String, _ stream: Cell<LocalStream?>) async throws -> Void) async throws {
        let folder = TemporaryDirectory()
        let (path, stream) = (folder("control"), Cell<LocalStream?>(nil))
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            switch try? ControlRequest(line: request.text) {
            case .status(nil):
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
            let top = try Command(["top", "--control", path])
            try await top.shows("tick")
            #expect(top.text.hasPrefix("\u{1B}[?1049h") && top.text.contains("rxwatchd 9, generation 0"))
            #expect(!top.text.contains("KIND"))
            top.resize(columns: 120, rows: 10)
            try await top.shows("KIND")
            top.press("j\r")
            try await top.shows("source tick: armed")
            let before = top.text.count
            top.press("\u{1B}")
            try await eventually("the table is back") { top.text.dropFirst(before).contains("arrows choose") }
            top.press("q")
            try await top.endsAsItBegan()
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalRestoresTerminal(signal: Int32) async throws {
        try await serve { path, _ in
            let top = try Command(["top", "--control", path])
            try await top.shows("tick")
            #expect(!top.isCooked)
            kill(top.process.id, signal)
            try await top.endsAsItBegan()
        }
    }

    @Test func topShowsThatNothingAnswers() async throws {
        let top = try Command(["top", "--control", "/nonexistent/control"])
        try await top.shows("connecting to /nonexistent/control")
        top.press("\u{3}")
        try await top.ends()
    }

    @Test func marblesGrow() async throws {
        try await serve { path, stream in
            let marbles = try Command(["marbles", "--frame", "50ms", "--control", path])
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
            let marbles = try Command(["marbles", "tick", "--control", path])
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
        let status = try Command(["status", "--control", path], environment: environment)
        try await status.shows("failed 3s ago: no route")
        try await status.ends()
        #expect(status.text.contains("\u{1B}[31m  failed 3s ago: no route\u{1B}[0m") == isColored)
        #expect(status.text.contains("\u{1B}") == isColored)
        server.dispose()
    }

    @Test func watchedResourcesAreDrawnAgain() async throws {
        let folder = TemporaryDirectory()
        let (path, count) = (folder("control"), Cell(0))
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: {
            count.update { $0 += 1 }
            $0.answer(ControlAnswer("live \(count.value)").bytes)
        })
        let resources = try Command(["resources", "--watch", "--control", path])
        try await resources.shows("live 2")
        #expect(resources.text.split(separator: "live 2").first?.hasSuffix("\u{1B}[H\u{1B}[J") == true)
        kill(resources.process.id, SIGINT)
        try await eventually("it ends") { resources.process.codeIfEnded() != nil }
        server.dispose()
    }

    /// A command that waits for an answer says so after a second, until the answer comes.
    @Test func waitIsShown() async throws {
        let folder = TemporaryDirectory()
        let (path, waiting) = (folder("control"), Cell<LocalRequest?>(nil))
        let server = LocalServer.requests(at: path, on: DispatchQueue(label: "control")).subscribe(onNext: { request in
            waiting.update { $0 = request }
        })
        let sync = try Command(["sync", "--control", path])
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
