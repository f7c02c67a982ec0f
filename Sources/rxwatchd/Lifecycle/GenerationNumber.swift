import Synchronization

/// The number of the running configuration generation, which records from any thread read.
final class GenerationNumber: Sendable {
    private let number = Atomic(1)

    var value: Int {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }
}
