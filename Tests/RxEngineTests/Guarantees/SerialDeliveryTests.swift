import RxEngine
import RxEngineTest
import Synchronization
import TestSupport
import Testing

/// The observer receives one event at a time, whatever the sources' threads do.
@Suite(.balanced) struct SerialDeliveryTests {
    // Unchecked: only the observer touches `log`, which is what is tested.
    private final class Observed: @unchecked Sendable {
        let inside = Atomic(0)
        let overlaps = Atomic(0)
        let ends = Atomic(0)
        var log: [Int] = []

        func observe(_ observable: Observable<Int>) -> any Disposable {
            observable.subscribe { event in
                if self.inside.add(1, ordering: .acquiringAndReleasing).oldValue != 0 {
                    self.overlaps.add(1, ordering: .relaxed)
                }
                switch event {
                case .next(let element): self.log.append(element)
                case .error, .completed: self.ends.add(1, ordering: .relaxed)
                }
                self.inside.subtract(1, ordering: .acquiringAndReleasing)
            }
        }
    }

    private typealias Assemble = @Sendable ([PublishSubject<Int>]) -> Observable<Int>

    /// Operators on four sources, and how many of 4 × 1000 elements they emit; `nil` where that varies.
    private static let chains: [(name: String, count: Int?, assemble: Assemble)] = [
        ("merge", 4000, { Observable.merge($0.map { $0.asObservable() }) }),
        ("flatMap", 4000, { sources in Observable.range(start: 0, count: 4).flatMap { sources[$0] } }),
        (
            "merge(maxConcurrent:)", 4000,
            { sources in Observable.range(start: 0, count: 4).map { sources[$0] }.merge(maxConcurrent: 4) }
        ),
        ("combineLatest", nil, { Observable.combineLatest($0[0], $0[1], $0[2], $0[3]) { $0 + $1 + $2 + $3 } }),
        ("combineLatest of many", nil, { Observable.combineLatest($0.map { $0.asObservable() }) { $0.reduce(0, +) } }),
        ("zip", 1000, { Observable.zip($0[0], $0[1], $0[2], $0[3]) { $0 + $1 + $2 + $3 } }),
        ("zip of many", 1000, { Observable.zip($0.map { $0.asObservable() }) { $0.reduce(0, +) } }),
        ("withLatestFrom", nil, { $0[0].withLatestFrom(Observable.merge($0[1], $0[2], $0[3])) }),
        ("sample", nil, { Observable.merge($0[0], $0[1]).sample(Observable.merge($0[2], $0[3])) }),
        ("take(until:)", nil, { Observable.merge($0[0], $0[1], $0[2]).take(until: $0[3].filter { $0 % 1000 == 500 }) }),
        ("skip(until:)", nil, { Observable.merge($0[0], $0[1], $0[2]).skip(until: $0[3]) }),
        ("amb", nil, { Observable.amb($0.map { $0.asObservable() }) }),
        ("share of merge", 4000, { Observable.merge($0.map { $0.asObservable() }).share(replay: 2) }),
    ]

    @Test(arguments: chains.indices) func eventsFromSeveralThreadsAreDeliveredOneAtATime(_ index: Int) {
        let (name, count, assemble) = Self.chains[index]
        let sources = (0..<4).map { _ in PublishSubject<Int>() }
        let observed = Observed()
        let subscription = observed.observe(assemble(sources))
        inParallel(4) { thread in
            for number in 0..<1000 { sources[thread].onNext(thread * 1000 + number) }
            sources[thread].onCompleted()
        }
        #expect(observed.overlaps.load(ordering: .relaxed) == 0, "\(name)")
        #expect(observed.ends.load(ordering: .relaxed) <= 1, "\(name)")
        if let count {
            #expect(observed.log.count == count, "\(name)")
            #expect(observed.ends.load(ordering: .relaxed) == 1, "\(name)")
        }
        subscription.dispose()
    }

    /// An event that an observer causes while it receives another is delivered afterwards.
    @Test func reentrantEventsAreDeliveredOneAtATime() {
        for (name, _, assemble) in Self.chains {
            let sources = (0..<4).map { _ in PublishSubject<Int>() }
            let depth = Cell(0)
            let deepest = Cell(0)
            let budget = Cell(50)
            let subscription = assemble(sources).subscribe(onNext: { _ in
                depth.update { $0 += 1 }
                deepest.update { [now = depth.value] in $0 = max($0, now) }
                if budget.value > 0 {
                    budget.update { $0 -= 1 }
                    for source in sources { source.onNext(1) }
                }
                depth.update { $0 -= 1 }
            })
            for source in sources { source.onNext(0) }
            // `amb` follows a single source and queues nothing.
            #expect(deepest.value <= (name == "amb" ? 51 : 1), "\(name) \(deepest.value)")
            subscription.dispose()
        }
    }
}
