import Synchronization

/// Consumes the results of a workload, so that it is not optimised away.
final class Drain: Sendable {
    private let sum = Atomic(0)

    func take(_ value: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ value, ordering: .relaxed)
    }
}

let drain = Drain()
