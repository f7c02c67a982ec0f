import RxEngineSections
import SeededRandom
import Testing

/// The time that a differ takes, measured in calls of the items' hash and equality functions.
@Suite struct LinearTimeTests {
    // Unchecked: one thread uses it.
    private final class Calls: @unchecked Sendable {
        var hashes = 0
        var comparisons = 0
        var identityComparisons = 0
    }

    private struct CountedID: Hashable {
        let number: Int
        let calls: Calls

        static func == (left: CountedID, right: CountedID) -> Bool {
            left.calls.identityComparisons += 1
            return left.number == right.number
        }

        func hash(into hasher: inout Hasher) {
            calls.hashes += 1
            hasher.combine(number)
        }
    }

    private struct Counted: Identifiable, Equatable {
        let id: CountedID
        let version: Int

        static func == (left: Counted, right: Counted) -> Bool {
            left.id.calls.comparisons += 1
            return left.version == right.version
        }
    }

    enum Change: CaseIterable {
        case none, reversed, shuffled, replaced, halfReplaced, intoOneSection
    }

    @Test(arguments: Change.allCases) func callsGrowWithTheNumberOfItemsOnly(_ change: Change) throws {
        for count in [1000, 4000, 16000] {
            let calls = Calls()
            var random = SplitMix64(seed: UInt64(count))
            let items = (0..<count).map { Counted(id: CountedID(number: $0, calls: calls), version: random.below(2)) }
            let new: [Counted]
            switch change {
            case .none, .intoOneSection: new = items
            case .reversed: new = items.reversed()
            case .shuffled: new = items.shuffled(using: &random)
            case .replaced:
                new = items.map { Counted(id: CountedID(number: $0.id.number + count, calls: calls), version: 0) }
            case .halfReplaced:
                new = items.map { Counted(id: CountedID(number: $0.id.number + count / 2, calls: calls), version: 0) }
            }
            let stages = try SectionDiffer.changesets(
                from: Self.sections(items, size: 100),
                to: Self.sections(new, size: change == .intoOneSection ? count : 100))
            #expect(stages.isEmpty == (change == .none))
            // Twice an item: it is in both values. The hash table of items that are only new grows as they are added.
            #expect(calls.hashes <= 2 * 3 * count)
            #expect(calls.comparisons <= count)
            // A lookup also compares the identities in the buckets that it passes, of which a full table has about
            // eight.
            #expect(calls.identityComparisons <= 20 * count)
            #expect(stages.reduce(0) { $0 + $1.count } <= 3 * count)
        }
    }

    private static func sections(_ items: [Counted], size: Int) -> [Section<SectionTitle, Counted>] {
        stride(from: 0, to: items.count, by: size).map { start in
            Section(SectionTitle("", id: "\(start)"), items: Array(items[start..<min(start + size, items.count)]))
        }
    }
}
