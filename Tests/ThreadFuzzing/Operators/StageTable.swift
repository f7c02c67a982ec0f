/// Draws the parameters of an operator.
typealias StageRecipe = @Sendable (inout Draft) -> Stage

/// The operators with one source that programs are made of.
enum StageTable {
    /// Each with the number of chances that it has.
    static let all: [(weight: Int, recipe: StageRecipe)] =
        transforming + filtering + flattening + timing + hopping + outliving + erring + retrying + sharing + watching

    private static let total = all.reduce(0) { $0 + $1.weight }

    static func draw(_ draft: inout Draft) -> Stage {
        var place = draft.random.below(total)
        for (weight, recipe) in all {
            if place < weight { return recipe(&draft) }
            place -= weight
        }
        preconditionFailure("the weights do not add up to their total")
    }
}

/// What is known while a program is being drawn.
struct Draft {
    var random: Randomness
    var hot: [HotPlan] = []
    var nextProducer = 0
    private var lastLane: UInt64 = 0

    init(seed: UInt64) {
        random = Randomness(seed: seed)
    }

    /// A lane that nothing else in the program has.
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

    /// Draws a number that closures throw at, for one element in 20 or so.
    mutating func failure() -> Int? {
        random.chance(12) ? random.below(20) : nil
    }
}
