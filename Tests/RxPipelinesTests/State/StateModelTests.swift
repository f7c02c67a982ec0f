import Foundation
import RxEngine
import RxJSON
import SeededRandom
import TestSupport
import Testing

@testable import RxPipelines

/// Random graphs with random events are killed at random moments: the output and the final state are the same as
/// without kills.
@Suite(.balanced) struct StateModelTests {
    /// `make fuzz-state` runs more.
    private static let environment = ProcessInfo.processInfo.environment
    static let programs = environment["RX_STATE_PROGRAMS"].flatMap { Int($0) } ?? 40
    static let seed = environment["RX_SEED"].flatMap { UInt64($0) } ?? 1

    @Test func killsDoNotChangeOutput() throws {
        var kills = 0
        var events = 0
        for number in 0..<Self.programs {
            let seed = Self.seed + UInt64(number)
            var random = SplitMix64(seed: seed)
            let config = Self.config(&random)
            let plan = try Plan.read(config.utf8, file: "t.yaml")
            let moves = (0..<Int.random(in: 5...40, using: &random)).map { _ in Move(&random) }
            for _ in 0..<3 {
                let cuts = Set(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        Int.random(in: 0...moves.count, using: &random)
                    })
                let (whole, ending) = Self.run(plan, moves, cuts: [])
                let (cut, cutEnding) = Self.run(plan, moves, cuts: cuts)
                kills += cuts.count
                events += moves.count
                guard whole == cut, ending == cutEnding else {
                    Issue.record(
                        "seed \(seed), killed before \(cuts.sorted()):\n\(config)\n\(moves)\n\(whole)\n\(cut)\n\(ending)\n\(cutEnding)"
                    )
                    return
                }
            }
        }
        print("\(Self.programs) programs from seed \(Self.seed) on: \(events) moves, \(kills) kills")
    }

    /// A random action of a program.
    private enum Move: CustomStringConvertible {
        case emit(String, JSON)
        case wait(Int)

        var description: String {
            switch self {
            case .emit(let source, let value): "\(source) \(value)"
            case .wait(let time): "wait \(time)"
            }
        }

        init(_ random: inout SplitMix64) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6: self = .emit("a", .number(Double(Int.random(in: 0..<6, using: &random))))
            case 6..<8: self = .emit("b", .number(Double(Int.random(in: 10..<13, using: &random))))
            default: self = .wait(Int.random(in: 1...8, using: &random))
            }
        }
    }

    /// The sorted outputs (the timers of steps restart after a kill) and the final cells of all nodes.
    private static func run(_ plan: Plan, _ moves: [Move], cuts: Set<Int>) -> ([String], [String: [String: JSON]]) {
        let rig = StateRig()
        _ = errors {
            rig.start(plan)
            for (number, move) in moves.enumerated() {
                if cuts.contains(number) {
                    rig.kill()
                    rig.start(plan)
                }
                switch move {
                case .emit(let source, let value): rig.emit(value, from: source)
                case .wait(let time): rig.wait(time)
                }
            }
            if cuts.contains(moves.count) {
                rig.kill()
                rig.start(plan)
            }
            rig.wait(1000)
            // The contents of a buffer continue in the last event of a list alone.
            let holds = plan.pipelines.contains { $0.content.contains("6:buffer") }
            if !holds { rig.lines.append("unsettled: \(rig.graph?.unsettledCount ?? 0)") }
            rig.end()
        }
        // After a restart, the steps around a finished `take` run until the next event, without effect.
        if rig.snapshot.nodes.values.contains(where: {
            $0.content.contains("4:take") || $0.content.contains("9:takeWhile")
        }) {
            return (rig.lines.value.sorted(), [:])
        }
        let cells = rig.snapshot.nodes.mapValues { node in
            // Only the value of an event is compared: its run and time belong to the process.
            node.cells.filter { $0.key != "replay" }.mapValues { ($0["run"] == nil ? $0 : $0["value"] ?? .null).json }
        }
        return (rig.lines.value.sorted(), cells)
    }

    private static func config(_ random: inout SplitMix64) -> String {
        var pipelines: [String] = []
        var nodes = ["a", "b"]
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let name = "p\(number)"
            let from: String
            switch Int.random(in: 0..<8, using: &random) {
            case 0: from = "merge: [\(some(of: nodes, &random)), \(some(of: nodes, &random))]"
            case 1: from = "combineLatest: [\(some(of: nodes, &random)), \(some(of: nodes, &random))]"
            default: from = "from: \(some(of: nodes, &random))"
            }
            var steps = (0..<Int.random(in: 0...4, using: &random)).map { _ in step(nodes, &random) }
            steps.append("map: '[\"\(name)\", .]'")
            // If events wait, redelivered events arrive later than others: nothing may depend on the order.
            let isLast = Bool.random(using: &random)
            if isLast { steps.append("delay: \(Int.random(in: 1...20, using: &random))s") }
            let replay = Int.random(in: 0..<10, using: &random) - 6
            let share = replay < 0 ? "" : "share: { replay: \(replay) }, "
            pipelines.append(
                "  \(name): { \(from), \(share)steps: [\(steps.joined(separator: ", "))], to: [stdout] }")
            if !isLast { nodes.append(name) }
        }
        return "sources: { a: { interval: 1h }, b: { interval: 1h } }\npipelines:\n" + pipelines.joined(separator: "\n")
    }

    private static func some(of names: [String], _ random: inout SplitMix64) -> String {
        names.randomElement(using: &random) ?? "a"
    }

    private static func step(_ nodes: [String], _ random: inout SplitMix64, depth: Int = 0) -> String {
        let count = Int.random(in: 0...4, using: &random)
        switch Int.random(in: 0..<(depth == 0 ? 18 : 12), using: &random) {
        case 0: return "scan: { seed: 0, next: '$state + 1' }"
        case 1: return "scan: { seed: [], next: '($state + [.])[-2:]' }"
        case 2: return "distinctUntilChanged: null"
        case 3: return "distinctUntilChanged: { by: 'tostring | length' }"
        case 4: return "pairwise: null"
        case 5: return "enumerated: null"
        case 6: return "skip: \(count)"
        case 7: return "take: \(count + 3)"
        case 8: return "map: '[.]'"
        case 9: return "filter: 'tostring | length < \(count + 6)'"
        case 10: return "skipWhile: 'tostring | length < \(count)'"
        case 11: return "buffer: { count: \(count % 2 + 1) }"
        case 12: return "withLatestFrom: { from: \(some(of: nodes, &random)), map: '[., $latest]' }"
        case 13:
            let inner = (0...(count % 2)).map { _ in step(nodes, &random, depth: depth + 1) }
            return "groupBy: { key: 'tostring | length % 3', steps: [\(inner.joined(separator: ", "))] }"
        case 14: return "takeWhile: 'tostring | length < \(count + 5)'"
        case 15: return "take: \(count + 1), reduce: { seed: 0, next: '$state + 1' }"
        default:
            return "scan: { seed: 0, next: 'if tostring | length % 5 == 4 then error(\"no\") else $state + 1 end' }"
        }
    }
}
