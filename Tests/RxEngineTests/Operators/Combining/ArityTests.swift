import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// `combineLatest` and `zip` of any number of sources, with a closure, as tuples and of a collection.
@Suite(.balanced) struct ArityTests {
    /// An overload of an operator, and its number of sources.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let count: Int
        let apply: @Sendable ([Observable<Int>]) -> Observable<[Int]>

        init(_ name: String, _ count: Int, _ apply: @escaping @Sendable ([Observable<Int>]) -> Observable<[Int]>) {
            testDescription = "\(name) of \(count)"
            self.count = count
            self.apply = apply
        }
    }

    private static let failing: @Sendable ([Int]) throws -> [Int] = { elements in
        if elements.contains(-1) { throw TestError("negative") }
        return elements
    }

    static let combineLatests = [
        Case("combineLatest", 2) { .combineLatest($0[0], $0[1]) { try failing([$0, $1]) } },
        Case("combineLatest, tuple", 2) { Observable.combineLatest($0[0], $0[1]).map { try failing([$0.0, $0.1]) } },
        Case("combineLatest", 3) { .combineLatest($0[0], $0[1], $0[2]) { try failing([$0, $1, $2]) } },
        Case("combineLatest, tuple", 3) {
            Observable.combineLatest($0[0], $0[1], $0[2]).map {
                try failing([$0.0, $0.1, $0.2])
            }
        },
        Case("combineLatest", 4) { .combineLatest($0[0], $0[1], $0[2], $0[3]) { try failing([$0, $1, $2, $3]) } },
        Case("combineLatest, tuple", 4) {
            Observable.combineLatest($0[0], $0[1], $0[2], $0[3]).map {
                try failing([$0.0, $0.1, $0.2, $0.3])
            }
        },
        Case("combineLatest", 5) {
            .combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]) {
                try failing([$0, $1, $2, $3, $4])
            }
        },
        Case("combineLatest, tuple", 5) {
            Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4])
            }
        },
        Case("combineLatest", 6) {
            .combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) {
                try failing([$0, $1, $2, $3, $4, $5])
            }
        },
        Case("combineLatest, tuple", 6) {
            Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5])
            }
        },
        Case("combineLatest", 7) {
            .combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) {
                try failing([$0, $1, $2, $3, $4, $5, $6])
            }
        },
        Case("combineLatest, tuple", 7) {
            Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6])
            }
        },
        Case("combineLatest", 8) {
            .combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) {
                try failing([$0, $1, $2, $3, $4, $5, $6, $7])
            }
        },
        Case("combineLatest, tuple", 8) {
            Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7])
            }
        },
        Case("combineLatest, collection", 1) { .combineLatest($0, resultSelector: failing) },
        Case("combineLatest, collection", 5) { .combineLatest($0, resultSelector: failing) },
        Case("combineLatest, collection", 70) { .combineLatest($0, resultSelector: failing) },
    ]

    static let zips = [
        Case("zip", 2) { .zip($0[0], $0[1]) { try failing([$0, $1]) } },
        Case("zip, tuple", 2) { Observable.zip($0[0], $0[1]).map { try failing([$0.0, $0.1]) } },
        Case("zip", 3) { .zip($0[0], $0[1], $0[2]) { try failing([$0, $1, $2]) } },
        Case("zip, tuple", 3) { Observable.zip($0[0], $0[1], $0[2]).map { try failing([$0.0, $0.1, $0.2]) } },
        Case("zip", 4) { .zip($0[0], $0[1], $0[2], $0[3]) { try failing([$0, $1, $2, $3]) } },
        Case("zip, tuple", 4) {
            Observable.zip($0[0], $0[1], $0[2], $0[3]).map {
                try failing([$0.0, $0.1, $0.2, $0.3])
            }
        },
        Case("zip", 5) { .zip($0[0], $0[1], $0[2], $0[3], $0[4]) { try failing([$0, $1, $2, $3, $4]) } },
        Case("zip, tuple", 5) {
            Observable.zip($0[0], $0[1], $0[2], $0[3], $0[4]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4])
            }
        },
        Case("zip", 6) { .zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]) { try failing([$0, $1, $2, $3, $4, $5]) } },
        Case("zip, tuple", 6) {
            Observable.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5])
            }
        },
        Case("zip", 7) {
            .zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]) {
                try failing([$0, $1, $2, $3, $4, $5, $6])
            }
        },
        Case("zip, tuple", 7) {
            Observable.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6])
            }
        },
        Case("zip", 8) {
            .zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]) {
                try failing([$0, $1, $2, $3, $4, $5, $6, $7])
            }
        },
        Case("zip, tuple", 8) {
            Observable.zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map {
                try failing([$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7])
            }
        },
        Case("zip, collection", 1) { .zip($0, resultSelector: failing) },
        Case("zip, collection", 5) { .zip($0, resultSelector: failing) },
        Case("zip, collection", 70) { .zip($0, resultSelector: failing) },
    ]

    /// Runs a case over hot sources; `events` returns the events of the source with an index.
    private static func run(
        _ test: Case, _ events: (Int) -> [Recorded<Event<Int>>]
    ) -> (events: [Recorded<Event<[Int]>>], left: [Int]) {
        let scheduler = TestScheduler(initialClock: 0)
        let sources = (0..<test.count).map { scheduler.createHotObservable(events($0)) }
        let observer = scheduler.start { test.apply(sources.map { $0.asObservable() }) }
        for source in sources { #expect(source.subscriptions.map(\.subscribe) == [200]) }
        return (observer.events, sources.flatMap { $0.subscriptions.map(\.unsubscribe) })
    }

    @Test(arguments: combineLatests + zips) func resultKeepsOrderOfSources(_ test: Case) {
        // The last source emits first, so that the order of the elements cannot come from their times.
        let (events, left) = Self.run(test) { [.next(400 - $0, $0), .completed(500 + $0)] }
        #expect(events == [.next(400, Array(0..<test.count)), .completed(500 + test.count - 1)])
        #expect(left == (0..<test.count).map { 500 + $0 })
    }

    @Test(arguments: combineLatests) func everyElementEmitsLatestOfAllSources(_ test: Case) {
        let (events, _) = Self.run(test) { [.next(210, 0), .next(300 + $0, 1)] }
        let expected = (0...test.count).map { changed in
            Recorded.next(
                changed == 0 ? 210 : 300 + changed - 1, (0..<test.count).map { $0 < changed ? 1 : 0 })
        }
        #expect(events == expected)
    }

    @Test(arguments: zips) func elementsAreQueuedForPartners(_ test: Case) {
        let (events, _) = Self.run(test) { index in
            (0..<3).map { .next(210 + 10 * $0 + 100 * (index == test.count - 1 ? 1 : 0), 10 * index + $0) }
        }
        #expect(
            events
                == (0..<3).map { step in
                    .next(310 + 10 * step, (0..<test.count).map { 10 * $0 + step })
                })
    }

    @Test(arguments: combineLatests + zips) func errorDisposesOtherSources(_ test: Case) {
        for failing in 0..<test.count {
            let (events, left) = Self.run(test) { $0 == failing ? [.error(250, TestError())] : [.next(210, $0)] }
            #expect(events == [.error(250, TestError())])
            #expect(left == Array(repeating: 250, count: test.count))
        }
    }

    @Test(arguments: combineLatests + zips) func errorOfClosureDisposesSources(_ test: Case) {
        let (events, left) = Self.run(test) { [.next(210 + $0, -1), .next(400, 1)] }
        #expect(events == [.error(210 + test.count - 1, TestError("negative"))])
        #expect(left == Array(repeating: 210 + test.count - 1, count: test.count))
    }

    @Test(arguments: combineLatests + zips) func resultCompletesWithLastSource(_ test: Case) {
        let (events, left) = Self.run(test) { [.completed(210 + $0)] }
        #expect(events == [.completed(210 + test.count - 1)])
        #expect(left == (0..<test.count).map { 210 + $0 })
    }

    @Test(arguments: combineLatests + zips) func resultCompletesWithoutPossiblePartners(_ test: Case) {
        guard test.count > 1 else { return }
        let isEarly = !test.testDescription.hasPrefix("zip") || test.testDescription.contains("collection")
        let (events, _) = Self.run(test) { $0 == 0 ? [.next(300, 1), .completed(400)] : [.completed(210)] }
        #expect(events == [.completed(isEarly ? 300 : 400)])
    }
}
