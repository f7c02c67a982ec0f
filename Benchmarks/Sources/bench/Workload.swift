/// A workload to measure: `run(n)` sends n elements through it, or performs its operation n times.
struct Workload: Sendable {
    let name: String
    /// The number of elements that one operation counts as, so that long operations are repeated less often.
    let weight: Int
    /// The time of the fastest known peer or RxSwift 6.10 on the reference machine, in ns an element; `nil` if it was
    /// not measured.
    let bestPeer: Double?
    let rxSwift: Double?
    /// Whether it stays on one thread, so that its instructions are the same at each run.
    let isSteady: Bool
    let run: @Sendable (Int) -> Void

    init(
        _ name: String, weight: Int = 1, bestPeer: Double? = nil, rxSwift: Double? = nil, isSteady: Bool = true,
        run: @escaping @Sendable (Int) -> Void
    ) {
        self.name = name
        self.weight = weight
        self.bestPeer = bestPeer
        self.rxSwift = rxSwift
        self.isSteady = isSteady
        self.run = run
    }
}
