import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// Several threads connect a connectable sequence at the same moment, while another thread disposes the previous
    /// connection. All new connections are one object and share one run of the source.
    static let connectingTogether = StressTest("connect together") { random, report in
        let threads = random.within(2...4)
        let (kind, elements) = (random.pick(["publish", "replay", "multicast"]), random.within(0...3))
        let (spread, seed) = (random.below(4000), random.next())
        report.describe("\(threads) threads, \(kind), \(elements) elements, up to \(spread) apart")
        let source = CountedSource(elements)
        let connectable =
            switch kind {
            case "publish": source.observable.publish()
            case "replay": source.observable.replay(2)
            default: source.observable.multicast(PublishSubject<Tagged>())
            }
        var guarantees = Guarantees()
        guarantees.isComplete = false
        let observer = CheckedObserver("subscriber", guarantees) { report.violation($0) }
        let subscription = observer.subscribe(to: connectable)
        var before: any Disposable = connectable.connect()
        for round in 0..<100 {
            let connections = Locked<[any Disposable]>([])
            inParallel(threads + 1) { [before] thread in
                var random = SplitMix64(seed: seed &+ UInt64(round * 10 + thread))
                if spread > 0 { spin(random.below(spread)) }
                if thread == 0 { return before.dispose() }
                let connection = connectable.connect()
                connections.withLock { $0.append(connection) }
            }
            // Some threads may have received the connection that was disposed meanwhile.
            let new = connections.value.filter { !isSame($0, before) }
            report.require(
                new.allSatisfy { isSame($0, new[0]) }, "round \(round): two live connections are different objects")
            report.require(
                source.live == (new.isEmpty ? 0 : 1),
                "round \(round): \(source.live) live runs of the source, \(new.count) live connections")
            before = new.first ?? connectable.connect()
            report.require(source.live == 1, "round \(round): \(source.live) live runs of the source")
        }
        before.dispose()
        report.require(source.live == 0, "\(source.live) live runs of the source after the end")
        subscription.dispose()
    }

    private static func isSame(_ one: any Disposable, _ other: any Disposable) -> Bool {
        one as AnyObject === other as AnyObject
    }

    /// A source that emits some elements at once, never ends and counts its live runs.
    private final class CountedSource: Sendable {
        private let elements: Int
        private let runs = Counter()
        private let active = Atomic(0)

        init(_ elements: Int) {
            self.elements = elements
        }

        /// How many runs were started and not yet disposed.
        var live: Int { active.load(ordering: .relaxed) }

        var observable: Observable<Tagged> {
            .create { observer in
                let run = self.runs.next()
                self.active.add(1, ordering: .relaxed)
                for number in 0..<self.elements {
                    observer.onNext(Tagged(producer: 0, run: run, number: number, of: self.elements))
                }
                return Disposables.create { self.active.subtract(1, ordering: .relaxed) }
            }
        }
    }
}
