import RxJSON
import RxPipelines

/// Compares the state and the acts of the daemon with the outcome of the configuration.
///
/// The test adds a pipeline to each component whose state is the list of the events that the component's steps have
/// seen. ``Evaluation`` gives the outcome of the configuration for that list. So at each end of a process, stopped or
/// killed, and for every configuration and kind of source:
///
/// - the list continues that of the previous process: no event is lost;
/// - the state of steps is what it would be for exactly these events without an interruption;
/// - every event in the list that is neither unsettled nor spooled has been acted on by every sink that it leads to,
///   with the value that it has without an interruption;
/// - nodes that pass events on later (``Later``) pass each of them once, in order, except the unsettled; nodes that drop
///   some (`debounce`) pass the last.
///
/// And in the end, when the daemon is at rest:
///
/// - every file is in the list, once. Ticks of an interval are compared as far as they are in the list: a kill loses
///   those after the last snapshot;
/// - a pipeline whose steps or source reloads edit has acted on each file, see ``Edited``;
/// - the unsettled events are those that wait in a `buffer`;
/// - no sink has acted on an event that is not in the list, and on none twice, except on one event a sink at each kill
///   (see ``checkRepetitions(_:_:_:mayRegroup:)``).
///
/// The requirements are weaker for one kind of node, after a node that drops events by time, or a `merge` of branches
/// that pass the same event at different times (``Config/Node/isLoose``): the acts of a sink between the last snapshot
/// and a kill may have come from another order, so after a kill only the number of acts on each event is compared, not
/// their values. See also ``Tolerance``.
struct Checker {
    let config: Config
    /// Pipelines that were added and removed.
    let extras: Set<String>
    private(set) var problems: [String] = []
    private(set) var repetitions = 0
    private(set) var unsavedActs = 0

    init(_ config: Config, extras: Set<String>) {
        (self.config, self.extras) = (config, extras)
    }

    // MARK: - Between two processes

    mutating func check(_ cut: Cut, after before: ArraySlice<Cut>, hadKill: Bool) -> Evaluation {
        problems += cut.acts.problems
        for (name, log) in before.last?.saved.logs ?? [:] {
            let now = cut.saved.logs[name] ?? []
            if !now.starts(with: log) { report("\(name) was \(log.map(\.event)), and is \(now.map(\.event))") }
        }
        let evaluation = Evaluation(config, logs: cut.saved.logs, unsettled: cut.saved.unsettled)
        for problem in evaluation.problems { report(problem) }
        // Before the first event nothing needs to be saved.
        if !cut.seen.isEmpty { for (node, cells) in evaluation.cells { check(cells, of: node, in: cut.saved) } }
        let tolerance = Tolerance(cuts: before + [cut])
        for node in config.nodes {
            for (events, sink) in node.outlets {
                // An event in the spool of a failing sink has not failed yet.
                let keys = Self.spools(of: sink.key, events, node)
                let waiting = keys.reduce(cut.saved.unsettled) { $0.union(cut.saved.spooled[$1] ?? []) }
                checkActs(
                    of: node, at: sink.key, (evaluation.items[events] ?? []).filter { !waiting.contains($0.id) }, cut,
                    isFailures: events != node.name, hadKill: hadKill
                ) { id in keys.contains { tolerance.mayHaveOtherValue(id, at: $0) } }
            }
        }
        return evaluation
    }

    /// The sinks in whose spools an event may wait for this sink: itself, and those that fail into it.
    private static func spools(of key: String, _ events: String, _ node: Config.Node) -> [String] {
        [key] + (events == node.name ? [] : node.sinks.filter(\.fails).map(\.key))
    }

    private mutating func check(_ cells: [String: JSON], of node: String, in saved: Saved) {
        let found = (saved.cells[node] ?? [:]).filter { path, _ in
            path != "replay" && !path.hasPrefix("from/") && !path.hasSuffix("latest")
        }
        for path in Set(found.keys).union(cells.keys).sorted() {
            // Only the value of an event is compared: its run and time belong to the process.
            let actual = found[path].map { $0["run"] == nil ? $0 : ["value": $0["value"] ?? .null] }
            if actual != cells[path] {
                report("\(node) at \(path) remembers \(text(actual)), not \(text(cells[path]))")
            }
        }
    }

    private func text(_ value: JSON?) -> String { value.map { "\($0)" } ?? "nothing" }

    /// Checks that settled events have been acted on.
    private mutating func checkActs(
        of node: Config.Node, at key: String, _ settled: [Item], _ cut: Cut, isFailures: Bool, hadKill: Bool,
        mayHaveOtherValue: (String) -> Bool
    ) {
        if node.isLoose, hadKill {
            let acts = Dictionary(grouping: cut.acts[key]) { sourceID($0.id) }.mapValues { Set($0.map(\.id)).count }
            for (id, items) in Dictionary(grouping: settled, by: \.id) where acts[id, default: 0] < items.count {
                // Whether a sink fails depends on the value that it was given.
                if isFailures, mayHaveOtherValue(id) { continue }
                report("\(key) has acted \(acts[id, default: 0]) times on \(id), not \(items.count)")
            }
            return
        }
        var acts = cut.acts[key].reduce(into: [:]) { $0[$1.event, default: 0] += 1 }
        for item in settled {
            if acts[item.event, default: 0] > 0 {
                acts[item.event, default: 0] -= 1
            } else if mayHaveOtherValue(item.id) {
                unsavedActs += 1
            } else {
                report("\(key) has not acted on \(item.event)")
            }
        }
    }

    // MARK: - In the end

    /// - Parameter files: the move that made each file, by source and number.
    mutating func finish(_ cuts: [Cut], _ evaluation: Evaluation, files: [String: [Int: Int]]) {
        guard let last = cuts.last else { return }
        let tolerance = Tolerance(cuts: cuts[...])
        for (source, files) in files where source != Edited.source { check(files, of: source, evaluation) }
        let kills = cuts.count { $0.isKill }
        for node in config.nodes {
            for (events, sink) in node.outlets {
                let spools = Self.spools(of: sink.key, events, node)
                checkNothingElse(
                    node, sink.key, spools, evaluation.items[events] ?? [], last, tolerance, hadKill: kills > 0)
                checkRepetitions(sink.key, spools, tolerance, mayRegroup: node.isLoose)
            }
        }
        for edited in config.edited {
            check(edited, last.acts, files[edited.input == nil ? Edited.source : "a"] ?? [:], hadKill: kills > 0)
        }
        for extra in extras { checkRepetitions("\(extra)/file", [], tolerance, mayRegroup: true) }
        for key in config.sinkEdits.keys {
            checkRepetitions(key, [], tolerance, mayRegroup: true)
        }
    }

    private mutating func check(_ edited: Edited, _ acts: Acts, _ files: [Int: Int], hadKill: Bool) {
        let done = Set(acts.files(at: edited))
        // After a kill, changes may arrive in another order, so that a group has the name of an earlier one with other
        // members.
        for number in files.keys.sorted() where !done.contains(number) && !(edited.mayGroup && hadKill) {
            report("\(edited.name) has not acted on file \(number)")
        }
        for number in done.sorted() where files[number] == nil {
            report("\(edited.name) has acted on file \(number), which is not there")
        }
    }

    private mutating func check(_ files: [Int: Int], of source: String, _ evaluation: Evaluation) {
        let counts = (evaluation.items["\(source)-base"] ?? []).reduce(into: [:]) { $0[$1.value.sum, default: 0] += 1 }
        for number in counts.keys where files[number] == nil { report("there is no file \(number) of \(source)") }
        for (number, move) in files.sorted(by: { $0.key < $1.key }) {
            let count = counts[number, default: 0]
            if count != 1 { report("file \(number) of \(source), made by move \(move), came \(count) times") }
        }
    }

    private mutating func checkNothingElse(
        _ node: Config.Node, _ key: String, _ spools: [String], _ items: [Item], _ cut: Cut, _ tolerance: Tolerance,
        hadKill: Bool
    ) {
        let events = Set(items.map(\.event))
        let ids = Set(items.map(\.id))
        for act in cut.acts[key] {
            let isKnown = node.isLoose && hadKill ? ids.contains(sourceID(act.id)) : events.contains(act.event)
            if isKnown { continue }
            let others = spools.filter { $0 != key }
            // It was redelivered, and waits in a step once more.
            let waitsAgain = hadKill && node.log != nil && cut.saved.unsettled.contains(sourceID(act.id))
            if waitsAgain || tolerance.mayBeUnsaved(act.id, at: key, spools: spools)
                || tolerance.mayHaveFailed(on: sourceID(act.id), at: others) || node.isLoose && hadKill
            {
                unsavedActs += 1
            } else {
                report("\(key) has acted on \(act.event), which does not lead to it")
            }
        }
    }

    /// Checks that no sink acts on an event twice, except on one event for each interruption between its act and the
    /// note of it: a kill; for commands and requests also a stop or reload with a drain that is too short, which ends
    /// them. At each end of a process there are at most as many repetitions as there were such interruptions before.
    ///
    /// - Parameter mayRegroup: whether the events after the last snapshot may be grouped differently after a kill, and
    ///   have the names of events that were acted on.
    private mutating func checkRepetitions(
        _ key: String, _ spools: [String], _ tolerance: Tolerance, mayRegroup: Bool
    ) {
        var count = 0
        for cut in tolerance.cuts {
            let all = cut.acts.repeated(at: key)
            let repeated = all.filter { !mayRegroup || !tolerance.mayBeUnsaved($0.key, at: key, spools: spools) }
            count = repeated.values.reduce(0, +)
            if count > cut.interruptions {
                return report(
                    "\(key) has acted \(count) times, not \(cut.interruptions), on events that it had acted on: "
                        + "\(repeated)")
            }
        }
        repetitions += count
    }

    private mutating func report(_ problem: String) {
        problems.append(problem.count > 4000 ? "\(problem.prefix(4000))…" : problem)
    }
}
