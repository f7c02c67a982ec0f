import RxControl
import RxEngineSections
import RxJSON
import TestSupport
import Testing

@testable import rxwatchctl

/// What `rxwatchctl top` shows of an answer, and after keys.
struct TopStateTests {
    private static let now = 1000.0

    private static func answer(_ names: [String] = ["tick", "api", "down"]) -> ControlAnswer {
        let nodes = names.enumerated().map { index, name -> JSON in
            var node: JSON = [
                "name": .string(name), "kind": name == "down" ? "pipeline" : "source", "state": "running",
                "events": .number(Double(index)), "perMinute": 1.25, "unsettled": 2, "queued": 1, "dropped": 0,
                "total": 9, "last": ["time": .number(now - 5)], "next": .number(now + 90),
                "failures": name == "api" ? [["time": 1, "message": "no route"]] : [],
            ]
            if name == "down" { node["received"] = 7 }
            return node
        }
        let sources = nodes.filter { $0["kind"] == "source" }, pipelines = nodes.filter { $0["kind"] == "pipeline" }
        func object(_ nodes: [JSON]) -> JSON {
            .object(nodes.reduce(into: JSON.Object()) { $0[$1["name"]?.string ?? ""] = $1 })
        }
        return ControlAnswer(
            "text",
            details: [
                "version": "1.0", "generation": 2, "up": 7200, "rssKiB": 30720, "unsettled": 6, "queued": 3,
                "spooled": 4, "dropped": 5, "resources": ["total": 99], "sources": object(sources),
                "pipelines": object(pipelines),
            ])
    }

    private func state(_ keys: [TerminalKey] = [], _ size: TerminalSize = .standard) -> TopState {
        var state = TopState(size: size)
        state.apply(.status(Self.answer(), at: Self.now))
        for key in keys { state.apply(.key(key)) }
        return state
    }

    private func lines(_ state: TopState) -> [String] {
        state.sections.flatMap { section in
            [section.header.value].filter { !$0.isEmpty } + section.items.map { $0.cells.joined(separator: "|") }
        }
    }

    @Test func nodesAreShown() {
        #expect(
            lines(state()) == [
                "rxwatchd 1.0, generation 2, up 2h, 30 MiB, 99 live objects",
                "6 unsettled, 3 queued, 4 spooled, 5 dropped, 1 failing (!)",
                "|NODEv|STATE|FAILURES|EVENTS|/MIN|LAST|NEXT|WAITING",
                " !|api|running|1|1|1.3|5s|1m|3",
                "  |down|running|-|2|1.3|5s|1m|3",
                "  |tick|running|-|0|1.3|5s|1m|3",
                "q quit  Enter details  < > sort  r reverse  F by failures  / filter  f failing",
            ])
        #expect(lines(state()).allSatisfy { $0.count < 80 })
        let wide = lines(state([], TerminalSize(columns: 100, rows: 24)))
        #expect(wide[2].hasSuffix("|WAITING|RECEIVED|DROPPED|KIND|LIVE") && wide[3].hasSuffix("|3|-|0|source|9"))
        #expect(wide[4].hasSuffix("|3|7|0|pipeline|9"))
    }

    @Test func pipelineHasReceivedEventsAndNextAttempt() {
        let failures: JSON = [
            ["time": 1, "message": "no route", "next": .number(Self.now + 30)],
            ["time": 2, "message": "no route", "next": .number(Self.now + 20)], ["time": 3, "message": "no"],
        ]
        let node = TopNode(["name": "p", "received": 1_200_000, "failures": failures])
        #expect(TopColumn.received.text(of: node, at: Self.now) == "1200k")
        #expect(TopColumn.next.text(of: node, at: Self.now) == "20s")
        let source = TopNode(["name": "s", "next": .number(Self.now + 7)])
        #expect(TopColumn.next.text(of: source, at: Self.now) == "7s")
        #expect(TopColumn.next.text(of: source, at: Self.now + 6.5) == "now")
        #expect(TopColumn.received.isBefore(node, source) && !TopColumn.received.isBefore(source, node))
    }

    @Test(
        arguments: [
            ([], ["api", "down", "tick"], nil),
            ([.character("r")], ["tick", "down", "api"], nil),
            ([.character(">"), .character(">"), .character(">")], ["down", "api", "tick"], nil),
            ([.character("f")], ["api"], nil),
            ([.character("f"), .character("f")], ["api", "down", "tick"], nil),
            ([.character("f"), .character("/"), .character("t"), .enter], [], nil),
            ([.character("f"), .escape], ["api", "down", "tick"], nil),
            ([.character("F"), .character("r")], ["tick", "down", "api"], nil),
            ([.character("<")], ["api", "down", "tick"], nil),
            ([.character("/"), .character("D"), .character("o")], ["down"], nil),
            ([.character("/"), .character("x"), .backspace, .enter], ["api", "down", "tick"], nil),
            ([.character("/"), .character("q"), .escape], ["api", "down", "tick"], nil),
            ([.character("/"), .character("a"), .character("p"), .enter, .down], ["api"], "api"),
            ([.down], ["api", "down", "tick"], "api"),
            ([.up], ["api", "down", "tick"], "tick"),
            ([.down, .down, .character("k")], ["api", "down", "tick"], "api"),
            ([.end, .down], ["api", "down", "tick"], "tick"),
            ([.home, .pageDown, .pageUp, .character("j")], ["api", "down", "tick"], "down"),
        ] as [([TerminalKey], [String], String?)])
    func keysChangeWhatIsShown(keys: [TerminalKey], nodes: [String], chosen: String?) {
        let state = state(keys)
        #expect(state.shown.map(\.name) == nodes && state.chosen == chosen && !state.isOver)
    }

    /// Those that fail now, then those that have failed most.
    @Test func nodesAreSortedByFailures() {
        func node(_ name: String, _ failures: JSON) -> TopNode {
            TopNode(["name": .string(name), "failures": failures])
        }
        let nodes = [
            node("a", []), node("b", [["count": 9, "recovered": 1]]), node("c", [["count": 2]]),
            node("d", [["count": 1], ["count": 3, "sink": "http"]]),
        ]
        #expect(nodes.sorted(by: TopColumn.failures.isBefore).map(\.name) == ["d", "c", "b", "a"])
        #expect(nodes.map { TopColumn.failures.text(of: $0, at: 0) } == ["-", "9", "2", "4"])
        // The daemon says that a pipeline has worked since.
        #expect(!TopNode(["failures": [["count": 1]], "failing": false]).hasFailed && nodes[2].hasFailed)
    }

    /// The line below the table says what is left out.
    @Test func filtersAreNamed() {
        let keys = lines(state()).last
        let failing = lines(state([.character("f")]))
        #expect(failing[2] == "filter: failing   Esc shows all" && failing.last == keys)
        let typing = state([.character("f"), .character("/"), .character("a")])
        #expect(lines(typing)[2] == failing[2])
        #expect(lines(typing).last == "filter: a_   Enter keeps it   Esc removes it")
        let both = state([.character("f"), .character("/"), .character("a"), .enter])
        #expect(lines(both)[2] == "filter: failing, a   Esc shows all" && both.shown.map(\.name) == ["api"])
        #expect(lines(both).last == keys)
    }

    /// Each key that changes something is in the manual, and no other one.
    @Test func keysAreInManual() throws {
        let named: [(TerminalKey, [String])] = [
            (.up, ["Up"]), (.down, ["Down"]), (.pageUp, ["PageUp"]), (.pageDown, ["PageDown"]), (.home, ["Home"]),
            (.end, ["End"]), (.enter, ["Enter"]), (.escape, ["Escape"]), (.backspace, ["Backspace"]),
            (.interrupt, ["Ctrl-C", "Ctrl-D"]),
        ]
        let characters = (0x20...0x7E).map { Character(Unicode.Scalar(UInt8($0))) }
        let keys = named + characters.map { (.character($0), [String($0)]) }
        let starts = [[], [.down], [.down, .enter]].map { state($0) }
        let acting = keys.filter { key, _ in
            starts.contains { start in
                var state = start
                state.apply(.key(key))
                return "\(state)" != "\(start)"
            }
        }
        let found = try DeployedFile("man/rxwatchctl.1").manualKeys(of: "top")
        #expect(Set(found) == Set(acting.flatMap(\.1)) && Set(found).count == found.count)
    }

    /// Names that differ only at their end are shown with it, and a line fits.
    @Test func longNamesAreCutInside() {
        let names = ["certificates-of-the-web-servers-in-rome", "certificates-of-the-web-servers-in-oslo"]
        func table(_ columns: Int, _ keys: [TerminalKey] = []) -> [TopState.Row] {
            var state = TopState(size: TerminalSize(columns: columns, rows: 24))
            state.apply(.status(Self.answer(names), at: Self.now))
            for key in keys { state.apply(.key(key)) }
            return state.sections.flatMap(\.items)
        }
        let rows = table(80)
        #expect(rows.allSatisfy { $0.text.count <= 80 })
        #expect(rows[1].cells[1].hasSuffix("oslo") && rows[2].cells[1].hasSuffix("rome"))
        #expect(rows.dropFirst().allSatisfy { $0.cells[1].count >= 24 && $0.cells[1].contains("…") })
        #expect(rows[0].cells == ["", "NODEv", "STATE", "FAILURES", "EVENTS", "LAST", "NEXT", "WAITING"])
        #expect(rows[0].text.hasPrefix("    NODEv  ") && rows[0].text.hasSuffix("  WAITING"))
        // The column that the table is sorted by stays.
        let sorted = table(80, [.character("F"), .character(">"), .character(">")])
        #expect(sorted[0].cells.contains("LASTv") && sorted[0].text.count <= 80)
        // At 100 columns, the columns that say whether events are lost come before the kind.
        let wide = table(100)
        #expect(
            wide[0].cells.contains("DROPPED") && wide[0].cells.contains("RECEIVED") && !wide[0].cells.contains("KIND"))
        #expect(wide.allSatisfy { $0.text.count <= 100 })
        #expect(table(160)[1].cells[1] == names[1] && table(160)[0].cells.contains("LIVE"))
    }

    @Test(arguments: [[.character("q")], [.interrupt], [.character("/"), .interrupt]] as [[TerminalKey]])
    func keysEnd(keys: [TerminalKey]) {
        #expect(state(keys).isOver)
    }

    @Test func detailsOfNodeAreShown() {
        var state = state([.down, .enter])
        #expect(state.showsDetail && state.chosen == "api")
        state.apply(.detail(ControlAnswer("source api: armed\n  0 events")))
        #expect(lines(state).suffix(3) == ["source api: armed", "  0 events", "Esc back   arrows choose   q quit"])
        state.apply(.key(.escape))
        #expect(!state.showsDetail && !state.isOver)
        // A reload without the node.
        state.apply(.key(.enter))
        state.apply(.status(Self.answer(["tick"]), at: Self.now))
        #expect(!state.showsDetail && state.chosen == nil && state.shown.map(\.name) == ["tick"])
        state.apply(.key(.enter))
        #expect(!state.showsDetail)
    }

    /// The chosen node stays on the screen, of which every line is used and none is missing.
    @Test(arguments: [1, 2, 5, 6, 24]) func rowsFitTheScreen(rows: Int) {
        let names = (0..<30).map { "n\($0 < 10 ? "0" : "")\($0)" }
        var state = TopState(size: TerminalSize(columns: 80, rows: rows))
        state.apply(.status(Self.answer(names), at: Self.now))
        for (key, count) in [(TerminalKey.down, 35), (.up, 40), (.pageDown, 9), (.pageUp, 3), (.home, 1), (.end, 1)] {
            for _ in 0..<count {
                state.apply(.key(key))
                let shown = lines(state)
                #expect(shown.count <= max(rows, 5))
                #expect(shown.contains { $0.hasPrefix("> |\(state.chosen ?? "-")|") })
            }
        }
        state.apply(.size(TerminalSize(columns: 80, rows: 8)))
        #expect(lines(state).count == 8)
    }

    /// Its lines are wrapped, and scrolled if there are too many; another node begins at its first line.
    @Test func detailFitsTheScreen() {
        var state = state([.down, .enter], TerminalSize(columns: 40, rows: 8))
        let long = String(repeating: "x", count: 50)
        let failure = "  last failure 3s ago: the server at a.example answered with a page of \(long)"
        state.apply(.detail(ControlAnswer("pipeline down: running\n\(failure)\n  sinks: journal, command")))
        func shown() -> [String] { lines(state).dropFirst(2).map(\.self) }
        #expect(
            shown() == [
                "pipeline down: running", "  last failure 3s ago: the server at",
                "    a.example answered with a page of", "    \(long.prefix(36))", "    \(long.prefix(14))",
                "Esc back   arrows choose   PgUp PgDn scroll   q quit",
            ])
        state.apply(.key(.pageDown))
        #expect(shown().dropLast().last == "  sinks: journal, command" && shown().count == 6)
        state.apply(.key(.pageUp))
        #expect(shown().first == "pipeline down: running")
        state.apply(.key(.pageDown))
        state.apply(.key(.down))
        #expect(shown().first == "pipeline down: running")
        state.apply(.size(TerminalSize(columns: 130, rows: 24)))
        #expect(shown().dropFirst().first == failure && shown().last == "Esc back   arrows choose   q quit")
    }

    @Test func failureIsShownUntilAnswer() {
        var state = state()
        state.apply(.failed("no daemon", at: Self.now + 70))
        #expect(lines(state)[0] == "no daemon; the table is 1m old" && lines(state).contains { $0.contains("tick") })
        state.apply(.status(ControlAnswer("nothing is running", exitCode: 1), at: Self.now))
        #expect(lines(state)[0] == "nothing is running")
        state.apply(.status(Self.answer(), at: Self.now))
        #expect(lines(state)[0].hasPrefix("rxwatchd"))
        var empty = TopState(size: .standard)
        empty.apply(.status(ControlAnswer("", details: ["sources": 1, "up": "x"]), at: Self.now))
        #expect(empty.shown.isEmpty)
    }

    @Test(arguments: [(0.4, "0s"), (-5, "0s"), (59, "59s"), (60, "1m"), (7200, "2h"), (200_000, "2d"), (1e12, "999d")])
    func spansAreShort(seconds: Double, text: String) {
        #expect(TopColumn.span(seconds) == text)
    }
}
