/// Something to measure: `run(n)` puts n elements through it, or does n of what it is about.
struct Workload: Sendable {
    let name: String
    /// What the fastest known peer and RxSwift 6.10 take for it on the reference machine, in ns an element; `nil` where
    /// that was not measured.
    let bestPeer: Double?
    let rxSwift: Double?
    /// Whether it stays on one thread, so that its instructions are the same at each run.
    let isSteady: Bool
    let run: @Sendable (Int) -> Void

    init(
        _ name: String, bestPeer: Double? = nil, rxSwift: Double? = nil, isSteady: Bool = true,
        run: @escaping @Sendable (Int) -> Void
    ) {
        self.name = name
        self.bestPeer = bestPeer
        self.rxSwift = rxSwift
        self.isSteady = isSteady
        self.run = run
    }
}
