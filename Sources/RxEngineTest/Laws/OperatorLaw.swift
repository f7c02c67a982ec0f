import RxEngine
import RxMarbles

/// A law of operators: two ways to combine random sources that emit the same events at the same times.
///
/// It can also be that they subscribe to each source and unsubscribe at the same times.
///
/// ```swift
/// OperatorLaw("concat is associative", sources: 3) { input in
///     input.sources[0].concat(input.sources[1]).concat(input.sources[2])
/// } equals: { input in
///     input.sources[0].concat(input.sources[1].concat(input.sources[2]))
/// }
/// .check()
/// ```
///
/// Each side runs on a ``TestScheduler`` of its own. In some cases, both are disposed before their ends. A case in which
/// they differ is made smaller until no simpler case fails, and is printed with its seed.
public struct OperatorLaw<Output: Equatable & Sendable>: Sendable {
    /// One side of a law. It makes a sequence of the random input.
    public typealias Side = @Sendable (LawInput) -> Observable<Output>

    /// The name of the law, for failures.
    public let name: String
    private let sources: Int
    private let numbers: Int
    private let kinds: LawSourceKinds
    private let order: LawOrder
    private let comparesSubscriptions: Bool
    private let left: Side
    private let right: Side

    /// Makes a law.
    ///
    /// - Parameters:
    ///   - name: the law in words.
    ///   - sources: the number of sources.
    ///   - kinds: which sources the law holds for.
    ///   - numbers: the number of random numbers, each from 0 to 4.
    ///   - order: whether the order of simultaneous events counts.
    ///   - comparesSubscriptions: whether both sides must subscribe to each source, and unsubscribe, at the same times.
    ///   - left: makes one side, on the thread that checks the law.
    ///   - right: makes the other side.
    @preconcurrency
    public init(
        _ name: String, sources: Int = 1, of kinds: LawSourceKinds = .all, numbers: Int = 0, order: LawOrder = .exact,
        comparesSubscriptions: Bool = false, _ left: @escaping Side, equals right: @escaping Side
    ) {
        self.name = name
        self.sources = sources
        self.numbers = numbers
        self.kinds = kinds
        self.order = order
        self.comparesSubscriptions = comparesSubscriptions
        self.left = left
        self.right = right
    }

    /// Runs the law on random sources, and returns a small case in which it does not hold, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - runs: the number of random cases.
    ///   - seed: the seed of the first case; the next one has the next seed.
    public func counterexample(runs: Int = 100, seed: UInt64 = 1) -> LawFailure? {
        for run in 0..<UInt64(max(0, runs)) {
            let example = LawCase(sources: sources, kinds, numbers: numbers, seed: seed &+ run)
            if fails(example) { return failure(of: shrunk(example), seed: seed &+ run) }
        }
        return nil
    }

    /// A case that fails, and of which no simpler case fails.
    private func shrunk(_ example: LawCase) -> LawCase {
        var smallest = example
        while let smaller = smallest.simpler.first(where: fails) { smallest = smaller }
        return smallest
    }

    private func fails(_ example: LawCase) -> Bool {
        let (left, right) = (example.run(left), example.run(right))
        if comparesSubscriptions, left.subscriptions(order) != right.subscriptions(order) { return true }
        switch order {
        case .exact: return left.events != right.events
        case .anyWithinInstant: return !left.events.isPermutation(of: right.events)
        }
    }

    private func failure(of example: LawCase, seed: UInt64) -> LawFailure {
        let (left, right) = (example.run(left), example.run(right))
        var naming = MarbleNaming<Output>([:])
        let sides = [left, right].map { naming.marbles($0.events, from: LawCase.subscribed) }
        let titles = ("left", "right")
        let subscriptions = zip(left.subscriptions(order), right.subscriptions(order)).enumerated().flatMap {
            source, both in
            let marbles = { (all: [Subscription]) in all.map { $0.marbles(from: LawCase.subscribed) } }
            return Subscription.differences(marbles(both.0), marbles(both.1)) {
                MarbleComparison(expected: $0, received: $1, titles: titles)
            }
            .map { "source \(source), \($0)" }
        }
        return LawFailure(
            law: name, seed: seed, sources: example.sources.map(\.text), numbers: example.numbers,
            disposal: example.disposal,
            comparison: MarbleComparison(expected: sides[0], received: sides[1], titles: titles),
            subscriptions: comparesSubscriptions ? subscriptions : [])
    }
}

extension Array where Element: Equatable {
    /// Whether both have equal elements, in any order. Recorded events have their times.
    fileprivate func isPermutation(of other: [Element]) -> Bool {
        var rest = other
        for element in self {
            guard let index = rest.firstIndex(of: element) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }
}
