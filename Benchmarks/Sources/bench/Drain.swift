import Synchronization

/// Takes what a workload ends in, so that nothing of it is optimised away.
final class Drain: Sendable {
    private let sum = Atomic(0)

    func take(_ value: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ value, ordering: .relaxed)
    }
}

let drain = Drain()
