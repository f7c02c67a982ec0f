import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// Several threads connect a connectable sequence, dispose its connections and subscribe. Nothing is emitted twice
    /// within a run.
    static let connecting = StressTest("connect") { random, report in
        let (threads, isReplay) = (random.within(2...4), random.chance(50))
        let (isSynchronous, seed) = (random.chance(40), random.next())
        let actions = random.within(5...30)
        report.describe("\(threads) threads, \(isReplay ? "replay" : "publish"), synchronous: \(isSynchronous)")
        for round in 0..<10 {
            let source = emitter(isSynchronous)
            let connectable = isReplay ? source.replay(2) : source.publish()
            inParallel(threads) { thread in
                var random = SplitMix64(seed: seed &+ UInt64(thread * 1000 + round))
                var guarantees = Guarantees()
                guarantees.isComplete = false
                var connections: [any Disposable] = []
                var subscriptions: [any Disposable] = []
                for number in 0..<actions {
                    switch random.below(4) {
                    case 0: connections.append(connectable.connect())
                    case 1: connections.popLast()?.dispose()
                    case 2:
                        let observer = CheckedObserver("thread \(thread), \(number)", guarantees) {
                            report.violation($0)
                        }
                        subscriptions.append(observer.subscribe(to: connectable))
                    default:
                        if random.chance(50) { subscriptions.popLast()?.dispose() } else { spin(random.below(5000)) }
                    }
                }
                for disposable in connections + subscriptions { disposable.dispose() }
            }
            connectable.connect().dispose()
        }
    }

    private static func emitter(_ isSynchronous: Bool) -> Observable<Tagged> {
        let runs = Counter()
        return .deferred {
            let run = runs.next()
            let numbers: Observable<Int> =
                isSynchronous
                ? .range(start: 0, count: 5)
                : Observable<Int>.interval(.microseconds(20), scheduler: Schedulers.concurrent.scheduler).take(20)
            return numbers.map { Tagged(producer: 0, run: run, number: $0, of: isSynchronous ? 5 : 20) }
        }
    }
}

/// Counts up from 1.
final class Counter: Sendable {
    private let last = Atomic<UInt64>(0)

    /// The last number, 0 before the first.
    var count: UInt64 { last.load(ordering: .relaxed) }

    func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
