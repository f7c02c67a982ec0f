import RxEngine
import Synchronization

/// Calls a closure when ``countDown()`` has been called a number of times.
final class CompletionLatch: Sendable {
    private let left: Atomic<Int>
    private let atZero: @Sendable () -> Void

    init(_ count: Int, _ atZero: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.atZero = atZero
        if count == 0 { atZero() }
    }

    func countDown() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { atZero() }
    }
}

/// A counter of running subscriptions and tasks.
final class RunningCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ number: Int) {
        count.add(number, ordering: .acquiringAndReleasing)
    }
}

extension Observable {
    /// Adds 1 to `count` for each subscription, for as long as it lasts.
    func counted(by count: RunningCount) -> Observable {
        self.do(onSubscribe: { count.add(1) }, onDispose: { count.add(-1) })
    }
}

/// Gives out consecutive numbers for events.
final class SequenceCounter: Sendable {
    private let following: Atomic<UInt64>

    init(from first: UInt64 = 0) {
        following = Atomic(first)
    }

    /// Returns the next number.
    func next() -> UInt64 {
        following.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// The number that ``next()`` returns next.
    var upcoming: UInt64 { following.load(ordering: .relaxed) }
}
