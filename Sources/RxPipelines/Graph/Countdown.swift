import RxEngine
import Synchronization

/// Calls back when something has happened a number of times.
final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let atZero: @Sendable () -> Void

    init(_ count: Int, _ atZero: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.atZero = atZero
        if count == 0 { atZero() }
    }

    func count() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { atZero() }
    }
}

/// How many of something are running.
final class RunningCount: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ number: Int) {
        count.add(number, ordering: .acquiringAndReleasing)
    }
}

extension Observable {
    /// These elements, counted for as long as they are subscribed to.
    func counted(by count: RunningCount) -> Observable {
        self.do(onSubscribe: { count.add(1) }, onDispose: { count.add(-1) })
    }
}

/// Numbers events.
final class Sequencer: Sendable {
    private let following: Atomic<UInt64>

    init(from first: UInt64 = 0) {
        following = Atomic(first)
    }

    func next() -> UInt64 {
        following.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// What ``next()`` will give.
    var upcoming: UInt64 { following.load(ordering: .relaxed) }
}
