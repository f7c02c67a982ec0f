/// Something to measure: `run(n)` puts n elements through it.
struct Workload: Sendable {
    let name: String
    /// What the fastest known peer and RxSwift 6.10 take for it on the reference machine, in ns an element.
    let bestPeer: Double
    let rxSwift: Double
    let run: @Sendable (Int) -> Void
}
