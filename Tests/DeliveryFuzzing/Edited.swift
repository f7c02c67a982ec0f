import RxJSON
import SeededRandom

/// A pipeline with steps, possibly with state, or a source that reloads edit. The state of its steps is lost with each
/// edit; but its sink receives each file, once.
struct Edited: Sendable {
    let name: String
    /// The node from which it takes events; `nil` for a source of its own, which is edited.
    let input: String?
    /// Whether its steps may combine several events into one, which has the name of one of them, depending on time.
    let mayGroup: Bool
    private(set) var steps = "map: ."
    /// The source's `inFlight`. It changes while the source runs.
    private(set) var inFlight = 200
    /// The source's `kinds`, in one of two spellings. A change makes it another source.
    private(set) var kinds = "created"

    /// The source of the pipeline that has its own.
    static let source = "e"

    var key: String { "\(name)/file" }

    static func all(_ random: inout SplitMix64) -> [Edited] {
        [
            Edited(name: "edited", input: "a-base", mayGroup: random.chance(30)),
            Edited(name: "edited-source", input: nil, mayGroup: false),
        ]
    }

    /// - Returns: a description of the change.
    mutating func edit(_ random: inout SplitMix64) -> String {
        if input == nil, random.chance(30) {
            inFlight = random.within(100...300)
            return "inFlight of \(Self.source) \(inFlight)"
        }
        if input == nil, random.chance(50) {
            kinds = kinds == "created" ? "[created]" : "created"
            return "events of \(Self.source) \(kinds)"
        }
        steps = (0...random.below(2)).map { _ in step(&random) }.joined(separator: ", ")
        return "steps of \(name) \(steps)"
    }

    private func step(_ random: inout SplitMix64) -> String {
        switch random.below(mayGroup ? 8 : 6) {
        case 0: "map: ."
        case 1...2: "delay: \(random.within(10...1500))ms"
        case 3: "scan: { seed: { count: 0 }, next: '{ count: ($state.count + 1), value: $value }' }"
        case 4: "enumerated: null"
        case 5:
            "\(mayGroup ? "concatMap" : random.pick(["concatMap", "flatMap"])): "
                + "{ command: { run: [sh, -c, 'sleep 0.0\(random.within(10...40)); echo x'] }, map: $outer }"
        case 6: "window: { span: 50ms, count: 3, steps: [toArray: null] }, filter: 'length > 0'"
        default: "buffer: { span: 50ms, count: 3 }, filter: 'length > 0'"
        }
    }

    /// The files from which one of its events is derived.
    static func files(in value: JSON) -> [Int] {
        switch value {
        case .number(let number): [Int(number)]
        case .array(let values): values.flatMap(files)
        default: value["value"].map(files) ?? []
        }
    }
}
