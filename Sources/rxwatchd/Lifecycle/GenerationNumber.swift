import Synchronization

/// The number of the config generation that is running, for records from anywhere.
final class GenerationNumber: Sendable {
    private let number = Atomic(1)

    var value: Int {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }
}
