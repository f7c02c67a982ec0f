import RxEngine

/// The random sources and numbers of one run of a law.
struct LawCase: Equatable {
    /// When both sides subscribe. Hot sources begin then.
    static let subscribed = TestScheduler.Defaults.subscribed

    var sources: [LawSource]
    var numbers: [Int]
    /// The frame in which both subscriptions are disposed early; `nil` if they are not.
    var disposal: Int?

    init(sources: Int, _ kinds: LawSourceKinds, numbers: Int, seed: UInt64) {
        var random = LawRandom(seed: seed)
        self.sources = (0..<sources).map { _ in LawSource(kinds, &random) }
        self.numbers = (0..<numbers).map { _ in Int.random(in: 0...4, using: &random) }
        disposal = random.chance(30) ? Int.random(in: 1...10, using: &random) : nil
    }

    /// Runs a side of the law on a scheduler of its own.
    func run<Output>(_ side: @escaping OperatorLaw<Output>.Side) -> LawRun<Output> {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let sources = sources.map { $0.observable(on: scheduler, subscribed: Self.subscribed) }
        let input = LawInput(scheduler: scheduler, sources: sources.map { $0.asObservable() }, numbers: numbers)
        let end = disposal.map { Self.subscribed + $0 } ?? TestScheduler.Defaults.disposed
        let observer = scheduler.start(subscribed: Self.subscribed, disposed: end) { side(input) }
        // What happens in the instant of an early disposal depends on which of both is scheduled first.
        let isCut = disposal != nil
        return LawRun(
            events: observer.events.filter { !isCut || $0.time < end },
            subscriptions: sources.map { $0.subscriptions.filter { !isCut || $0.subscribe < end } })
    }

    /// Simpler cases, the simplest first.
    var simpler: [LawCase] {
        var all: [LawCase] = []
        for (index, source) in sources.enumerated() {
            for simpler in source.simpler {
                var other = self
                other.sources[index] = simpler
                all.append(other)
            }
        }
        for (index, number) in numbers.enumerated() where number > 0 {
            for smaller in Set([0, number / 2, number - 1]).sorted() {
                var other = self
                other.numbers[index] = smaller
                all.append(other)
            }
        }
        if disposal != nil {
            var other = self
            other.disposal = nil
            all.insert(other, at: 0)
        }
        return all
    }
}
