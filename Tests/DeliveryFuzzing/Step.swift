import RxJSON
import RxPipelines
import SeededRandom

/// A step of a random pipeline, whose meaning ``StepRun`` knows.
package indirect enum Step: Sendable {
    case count
    case lastTwo
    /// Counts, and fails if the sum of the event's numbers is 4 modulo 5.
    case failingCount
    case distinct
    case distinctBySum
    case pairwise
    case enumerated
    case skip(Int)
    case take(Int)
    case takeWhile(Int)
    case first
    case elementAt(Int)
    case skipWhile(Int)
    case filter(Int)
    case list
    case buffer(Int)
    case groupBy([Step])
    case withLatestFrom(String)

    /// The sum of all numbers in an event, as jq.
    private static let sum = "([.. | numbers] | add)"

    /// The step's text in the configuration.
    var text: String {
        switch self {
        case .count: "scan: { seed: 0, next: '$state + 1' }"
        case .lastTwo: "scan: { seed: [], next: '($state + [\(Self.sum)])[-2:]' }"
        case .failingCount:
            "scan: { seed: 0, next: 'if ($value | \(Self.sum)) % 5 == 4 then error(\"no\") else $state + 1 end' }"
        case .distinct: "distinctUntilChanged: null"
        case .distinctBySum: "distinctUntilChanged: { by: '\(Self.sum) % 3' }"
        case .pairwise: "pairwise: null"
        case .enumerated: "enumerated: null"
        case .skip(let count): "skip: \(count)"
        case .take(let count): "take: \(count)"
        case .takeWhile(let number): "takeWhile: '\(Self.sum) % 50 != \(number)'"
        case .first: "first: null"
        case .elementAt(let index): "elementAt: \(index)"
        case .skipWhile(let number): "skipWhile: '\(Self.sum) < \(number)'"
        case .filter(let number): "filter: '\(Self.sum) % 4 != \(number)'"
        case .list: "map: '[.]'"
        case .buffer(let count): "buffer: { count: \(count) }"
        case .groupBy(let steps):
            "groupBy: { key: '\(Self.sum) % 3', steps: [\(steps.map(\.text).joined(separator: ", "))] }"
        case .withLatestFrom(let node): "withLatestFrom: { from: \(node), map: '[., $latest]' }"
        }
    }

    /// Whether it may complete.
    var ends: Bool {
        switch self {
        case .take, .takeWhile, .first, .elementAt: true
        default: false
        }
    }

    /// Whether it, or a step inside it, may complete.
    var hasEnd: Bool {
        switch self {
        case .groupBy(let steps): steps.contains(where: \.hasEnd)
        default: ends
        }
    }

    /// Whether it makes one event of each, at once.
    var isOneToOne: Bool {
        switch self {
        case .count, .lastTwo, .enumerated, .list: true
        default: false
        }
    }

    /// Whether it fails on some events.
    var fails: Bool {
        switch self {
        case .failingCount: true
        case .groupBy(let steps): steps.contains(where: \.fails)
        default: false
        }
    }

    /// Whether events wait in it.
    var holds: Bool {
        switch self {
        case .buffer: true
        case .groupBy(let steps): steps.contains(where: \.holds)
        default: false
        }
    }

    /// - Parameters:
    ///   - others: nodes for `withLatestFrom`.
    ///   - mayGroup: whether it may contain steps, or take events from other nodes.
    static func random(_ random: inout SplitMix64, others: [String], mayGroup: Bool = true) -> Step {
        switch random.below(mayGroup ? 18 : 13) {
        case 0: .count
        case 1: .lastTwo
        case 2: .failingCount
        case 3: .distinct
        case 4: .distinctBySum
        case 5: .pairwise
        case 6: .enumerated
        case 7: .skip(random.within(1...6))
        case 8: random.chance(40) ? ending(&random) : .enumerated
        case 9: .skipWhile(random.within(1...9))
        case 10: .filter(random.below(4))
        case 11: .list
        case 12: .buffer(random.within(1...4))
        case 13...15:
            .groupBy((0...random.below(2)).map { _ in Step.random(&random, others: [], mayGroup: false) })
        default: others.isEmpty ? .count : .withLatestFrom(random.pick(others))
        }
    }

    private static func ending(_ random: inout SplitMix64) -> Step {
        switch random.below(6) {
        case 0...2: .take(random.within(5...60))
        case 3: .takeWhile(random.below(50))
        case 4: .first
        default: .elementAt(random.within(0...30))
        }
    }
}

extension JSON {
    /// The sum of all numbers in it.
    var sum: Int {
        switch self {
        case .number(let number): Int(number)
        case .array(let values): values.reduce(0) { $0 + $1.sum }
        case .object(let object): object.members.reduce(0) { $0 + $1.value.sum }
        case .null, .bool, .string: 0
        }
    }
}
