import RxEngine
import TestSupport
import Testing

@testable import RxPipelines

/// What a reload would do, and that it does that.
@Suite(.balanced) struct GraphChangesTests {
    private static let config = """
        sources: { s: { interval: 1s }, t: { interval: 2s } }
        pipelines:
          a: { from: s, steps: [map: .tick], to: [stdout] }
          b: { from: a, to: [journal: "b", stdout] }
          c: { from: t }

        """

    @Test(
        arguments: [
            (
                "", "", "nothing would change",
                ["s keep", "t keep", "a keep", "a/stdout keep", "b keep", "b/journal keep"]
            ),
            (
                "interval: 1s", "interval: 3s", "2 kept, 5 rewired, 1 restarted",
                [
                    "s restart: its configuration has changed", "t keep",
                    "a rewire: takes events from s; its steps begin without state",
                    "a/stdout rewire", "b rewire: takes events from a", "b/journal rewire", "b/stdout rewire",
                ]
            ),
            (
                "map: .tick", "map: .tick + 1", "3 kept, 4 rewired, 1 restarted",
                [
                    "a restart: its configuration has changed; its steps begin without state", "a/stdout rewire",
                    "b rewire: takes events from a",
                ]
            ),
            (
                #"journal: "b""#, #"journal: "c""#, "7 kept, 1 restarted",
                ["b keep", "b/journal restart: its configuration has changed", "b/stdout keep"]
            ),
            (
                #"journal: "b", "#, "", "7 kept, 1 stopped", ["b keep", "b/stdout keep", "b/journal stop"]
            ),
            (
                "  c: { from: t }", "  d: { from: t, to: [stdout] }", "7 kept, 2 started, 1 stopped",
                ["t keep", "d start", "d/stdout start", "c stop"]
            ),
            (
                "c: { from: t }", "c: { from: b }", "7 kept, 1 restarted",
                [
                    "t keep: does not run: nothing that runs takes its events",
                    "c restart: its configuration has changed; does not run: it has no sink, and nothing that runs takes its events",
                ]
            ),
            (
                "sources:", "daemon: { drain: 1s }\nsources:", "8 kept", ["t keep"]
            ),
        ] as [(String, String, String, [String])])
    func reloadDoesWhatIsPlanned(old: String, new: String, summary: String, lines: [String]) throws {
        let rig = ReloadRig()
        try rig.run(Self.config)
        let config = old.isEmpty ? Self.config : Self.config.replacing(old, with: new)
        let changes = try rig.changes(config)
        #expect(changes.summary == summary)
        let found = changes.changes.map { change in
            let notes = change.notes.filter {
                !$0.hasPrefix("does not run") || lines.contains { $0.contains("does not run") }
            }
            return
                "\(change.name) \(change.effect.rawValue)\(notes.isEmpty ? "" : ": \(notes.joined(separator: "; "))")"
        }
        for line in lines { #expect(found.contains(line), "\(found)") }

        let before = Dictionary(
            uniqueKeysWithValues: try #require(rig.graph).nodes.map { ($0.name, ObjectIdentifier($0)) })
        try rig.run(config)
        let graph = try #require(rig.graph)
        for node in graph.nodes {
            let effect = changes.changes.first { $0.name == node.name }?.effect
            #expect((before[node.name] == ObjectIdentifier(node)) == (effect == .keep), "\(node.name)")
            #expect((before[node.name] == nil) == (effect == .start), "\(node.name)")
        }
        let stopped = Set(changes.changes.filter { $0.effect == .stop && $0.kind != .sink }.map(\.name))
        #expect(stopped == Set(before.keys).subtracting(graph.nodes.map(\.name)))
        _ = rig.end()
    }

    @Test(
        arguments: [
            ("", "", "nothing has changed"),
            (#"journal: "b""#, #"journal: "c""#, "7 kept; restarted b/journal"),
            ("  c: { from: t }", "  d: { from: t, to: [stdout] }", "7 kept; started d, d/stdout; stopped c"),
            ("interval: 1s", "interval: 3s", "2 kept; rewired a, a/stdout, b, b/journal, b/stdout; restarted s"),
            (
                "  c:", "  d: { from: t, to: [stdout, stdout, stdout, stdout, stdout] }\n  c:",
                "8 kept; 6 started"
            ),
            ("sources:", "daemon: { drain: 1s }\nsources:", "8 kept; daemon.drain: 1s in place of 5s"),
        ]) func outcomeIsOneLine(old: String, new: String, outcome: String) throws
    {
        let rig = ReloadRig()
        try rig.run(Self.config)
        #expect(try rig.changes(old.isEmpty ? Self.config : Self.config.replacing(old, with: new)).outcome == outcome)
        _ = rig.end()
    }

    /// Texts that are canonically equivalent are equal as strings, but not the same configuration.
    @Test(arguments: [
        ("map: '\"\u{E9}\"'", "map: '\"e\u{301}\"'", "1 kept; rewired a/journal; restarted a"),
        ("journal: \u{E9}", "journal: e\u{301}", "2 kept; restarted a/journal"),
    ]) func equivalentTextIsChange(old: String, new: String, outcome: String) throws {
        let config = """
            sources: { s: { interval: 1s } }
            pipelines: { a: { from: s, steps: [map: '"\u{E9}"'], to: [journal: \u{E9}] } }

            """
        let changed = config.replacing(old, with: new)
        let rig = ReloadRig()
        try rig.run(config)
        #expect(try rig.changes(changed).outcome == outcome)
        try rig.run(changed)
        #expect(try rig.changes(changed).outcome == "nothing has changed")
        _ = rig.end()
    }

    /// What applies without a restart is a change, too.
    @Test(
        arguments: [
            ("inFlight: 7", "inFlight: 8", "6 kept; sources.s.inFlight: 8 in place of 7"),
            ("{ to: x }", "{ to: y }", "6 kept; pipelines.a.onError: y in place of x"),
            (
                "to: [stdout], onError: { to: x }", "to: [stdout]",
                "6 kept; pipelines.a.onError: none in place of x"
            ),
        ]) func settingThatAppliesAtOnceIsChange(old: String, new: String, outcome: String) throws
    {
        let config = """
            sources: { s: { interval: { every: 1s, inFlight: 7 } } }
            pipelines:
              a: { from: s, to: [stdout], onError: { to: x } }
              b: { from: s, onError: { to: [x, y] } }
              x: { from: onError }
              y: { from: onError }

            """
        let rig = ReloadRig()
        try rig.run(config)
        #expect(try rig.changes(config.replacing(old, with: new)).outcome == outcome)
        _ = rig.end()
    }

    /// Events that are in the steps or wait for a sink.
    @Test func eventsThatWaitAreCounted() throws {
        let rig = ReloadRig()
        let config = """
            sources: { s: { interval: 1s } }
            pipelines:
              a: { from: s, steps: [{ delay: 10s }], to: [stdout] }
              b: { from: s, to: [stdout, journal: "x"] }
            """
        try rig.run(config)
        rig.isStuck.update { $0 = true }
        rig.emit(1, 2)
        let renamed = try rig.changes(
            config.replacing("delay: 10s", with: "delay: 9s").replacing("stdout, journal", with: "journal"))
        #expect(
            renamed.lines == [
                "keep     source    s",
                "restart  pipeline  a: its configuration has changed; its steps begin without state; "
                    + "2 events in flight, redelivered unless finished within 5s",
                "rewire   sink      a/stdout",
                "keep     pipeline  b", "keep     sink      b/journal",
                "stop     sink      b/stdout: 2 queued, lost unless finished within 5s",
            ])
        let moved = try rig.changes(
            config.replacing("from: s, steps", with: "from: b, steps").replacing("interval: 1s", with: "interval: 2s"))
        #expect(
            moved.lines[0] == "restart  source    s: its configuration has changed; 2 events that are not settled stay")
        #expect(
            moved.lines.contains { $0.contains("2 events in flight, lost unless finished within 5s") }, "\(moved.lines)"
        )
        let replaced = try rig.changes(config.replacing("s, to: [stdout", with: "s, steps: [map: .], to: [stdout"))
        let wait = "wait up to 5s (daemon.drain) for the current work of the sink that it replaces"
        #expect(
            replaced.lines.contains("rewire   sink      b/stdout: 2 queued are taken over; its events \(wait)"),
            "\(replaced.lines)")
        #expect(replaced.outcome.hasSuffix("; events of b/stdout \(wait)"), "\(replaced.outcome)")
        _ = rig.end(after: 20)
    }

    /// The events in the steps of a pipeline that a reload replaces are redelivered through a new pipeline between it
    /// and its source, also if others are between these; but not through one that was there before, or takes other
    /// events.
    @Test(
        arguments: [
            ("n: { from: s }", "n", "redelivered"), ("n: { merge: [s, t] }", "n", "redelivered"),
            ("n: { from: t }", "n", "lost"), ("n: { from: s }", "b", "lost"),
            ("m: { from: s }\n  n: { from: m }", "n", "redelivered"),
            ("b: { from: n }\n  n: { from: s }", "b", "redelivered"),
            ("n: { from: s }\n  m: { merge: [n, t] }", "m", "redelivered"),
        ]) func newPipelineMayReceiveEventsInFlight(others: String, input: String, fate: String) throws
    {
        let rig = ReloadRig()
        let config = """
            sources: { s: { interval: 1s }, t: { interval: 1s } }
            pipelines:
              a: { from: s, steps: [{ delay: 10s }], to: [stdout] }
              b: { from: t, to: [stdout] }

            """
        try rig.run(config)
        rig.emit(1)
        var changed = config.replacing("a: { from: s", with: "a: { from: \(input)")
        if others.hasPrefix("b:") { changed = changed.replacing("  b: { from: t, to: [stdout] }\n", with: "") }
        let line = try rig.changes(changed + "  \(others)\n").lines.first { $0.contains("in flight, ") }
        #expect(line?.contains("1 event in flight, \(fate) unless") == true, "\(line ?? "")")
        _ = rig.end(after: 20)
    }

    /// A new pipeline of the same source waits for the events of those that the reload stops or replaces.
    @Test func waitForOldPipelinesIsSaid() throws {
        let rig = ReloadRig()
        let old = """
            sources: { s: { interval: 1s }, t: { interval: 1s } }
            pipelines:
              a: { from: s, steps: [{ delay: 10s }], to: [stdout] }
              kept: { from: s, to: [stdout] }

            """
        let new =
            old.replacing("a: { from: s, steps: [{ delay: 10s }], to: [stdout] }", with: "b: { from: s, to: [stdout] }")
            + "  other: { from: t, to: [stdout] }\n  idle: { from: s }\n"
        try rig.run(old)
        rig.emit(1)
        let changes = try rig.changes(new)
        let wait = "wait up to 5s (daemon.drain) for 1 event in flight in a"
        #expect(changes.changes.filter { $0.wait != nil }.map(\.name) == ["b"])
        #expect(changes.lines.contains("start    pipeline  b: its events \(wait)"), "\(changes.lines)")
        #expect(changes.outcome.hasSuffix("; events of b \(wait)"), "\(changes.outcome)")
        // And they do.
        try rig.run(new, drain: .seconds(5))
        rig.emit(2)
        rig.emit(3, from: "t")
        #expect(rig.end(after: 20) == ["0 1", "0 2", "0 3", "5 2"])
    }

    /// Each of many pipelines waits for all others: the answer must not have all of their names for each.
    @Test func waitForManyPipelinesIsShort() throws {
        let sizes = try [50, 100].map { count in
            let rig = ReloadRig()
            let pipelines = (0..<count).map { "  p\($0): { from: s, steps: [{ delay: 10s }], to: [stdout] }\n" }
            let config = "sources: { s: { interval: 1s } }\npipelines:\n" + pipelines.joined()
            try rig.run(config)
            rig.emit(1)
            let changes = try rig.changes(config.replacing("10s", with: "11s"))
            let waits = changes.changes.compactMap(\.wait)
            #expect(waits.count == count)
            let named = (0..<5).map { "1 event in flight in p\($0)" }.joined(separator: " and ")
            #expect(
                waits.last == "up to 5s (daemon.drain) for \(named) and those in \(count - 6) other pipelines",
                "\(waits.last ?? "")")
            #expect(Set(waits).count == 6, "one for each that is named, and one for the others")
            #expect(changes.outcome.utf8.count < 3000, "\(changes.outcome)")
            _ = rig.end(after: 20)
            return changes.details.bytes.count
        }
        #expect(sizes[1] < sizes[0] * 5 / 2, "\(sizes)")
    }

    @Test func sourceWhoseEventsNothingTakesStops() throws {
        let rig = ReloadRig()
        let config = Self.config.replacing("c: { from: t }", with: "c: { from: t, to: [stdout] }")
        try rig.run(config)
        let changes = try rig.changes(
            config.replacing("c: { from: t, to: [stdout] }", with: "c: { from: s, to: [stdout] }"))
        #expect(changes.lines.contains("stop     source    t: does not run: nothing that runs takes its events"))
        _ = rig.end()
    }

    @Test func settingsAreCompared() throws {
        let rig = ReloadRig()
        try rig.run(Self.config)
        let changes = try rig.changes("daemon: { drain: 1s, resources: 1h }\n" + Self.config)
        #expect(changes.lines.prefix(2) == ["daemon.resources: 1h in place of 30s", "daemon.drain: 1s in place of 5s"])
        #expect(changes.summary == "8 kept")
        _ = rig.end()
    }
}
