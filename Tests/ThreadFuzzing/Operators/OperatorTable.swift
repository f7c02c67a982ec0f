import SeededRandom

/// Draws the parameters of an operator.
typealias StepRecipe = @Sendable (inout GeneratorState) -> OperatorStep

/// The operators with one source that programs are made of.
enum OperatorTable {
    /// Each with its weight.
    static let all: [(weight: Int, recipe: StepRecipe)] =
        transforming + filtering + flattening + timing + scheduling + outliving + errors + retrying + sharing + utility

    private static let total = all.reduce(0) { $0 + $1.weight }

    static func draw(_ state: inout GeneratorState) -> OperatorStep {
        var place = state.random.below(total)
        for (weight, recipe) in all {
            if place < weight { return recipe(&state) }
            place -= weight
        }
        preconditionFailure("the weights do not add up to their total")
    }
}

/// The state of the generator while it makes a program.
struct GeneratorState {
    var random: SplitMix64
    var hot: [HotPlan] = []
    var nextProducer = 0
    private var lastLane: UInt64 = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A lane that nothing else in the program uses.
    mutating func lane() -> UInt64 {
        lastLane += 1
        return lastLane
    }

    mutating func producer() -> Int {
        nextProducer += 1
        return nextProducer - 1
    }

    mutating func cold(isSmall: Bool = false) -> ColdPlan {
        ColdPlan(&random, producer: producer(), isSmall: isSmall)
    }

    /// Draws a number at which closures throw, for about one element in 20.
    mutating func failure() -> Int? {
        random.chance(12) ? random.below(20) : nil
    }
}
