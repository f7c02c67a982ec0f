import RxEngine

/// The end of a sequence of sequences while one of them still runs: a number of them, on the thread that emits, or a
/// time, on another thread.
private enum OuterEnd: Sendable {
    case count(Int)
    case time(Int, Schedulers)

    init(_ state: inout GeneratorState) {
        let scheduler = state.random.pick(Schedulers.allCases)
        self =
            state.random.chance(50)
            ? .count(state.random.within(0...3)) : .time(state.random.within(1...1000), scheduler)
    }

    var text: String {
        switch self {
        case .count(let count): ".take(\(count))"
        case .time(let microseconds, let scheduler): ".take(for: \(microseconds) µs, \(scheduler.rawValue))"
        }
    }

    func apply<Element>(_ source: Observable<Element>) -> Observable<Element> {
        switch self {
        case .count(let count): source.take(count)
        case .time(let microseconds, let scheduler):
            source.take(for: .microseconds(microseconds), scheduler: scheduler.scheduler)
        }
    }
}

extension OperatorTable {
    /// Windows and groups that outlive the sequence of them.
    static let outliving: [(weight: Int, recipe: StepRecipe)] = [
        (
            4,
            { state in
                let (microseconds, count) = (state.random.within(1...400), state.random.within(1...6))
                let (scheduler, end) = (state.random.pick(Schedulers.allCases), OuterEnd(&state))
                return OperatorStep(
                    "window", "take", "flatMap",
                    text: ".window(\(microseconds) µs, \(scheduler.rawValue), count: \(count))\(end.text)"
                        + ".flatMap { $0 }",
                    effect: { $0.mayCut() }
                ) { source, _ in
                    let windows = source.window(
                        timeSpan: .microseconds(microseconds), count: count, scheduler: scheduler.scheduler)
                    return end.apply(windows).flatMap { $0 }
                }
            }
        ),
        (
            4,
            { state in
                let (keys, end) = (state.random.within(1...4), OuterEnd(&state))
                let hop = state.random.chance(30) ? state.random.pick(Schedulers.allCases) : nil
                let (failure, lane) = (state.failure(), state.lane())
                let inner = hop.map { "$0.inLane(\(lane), $0.key).observe(on: \($0.rawValue))" } ?? "$0"
                return OperatorStep(
                    "groupBy", "take", "flatMap",
                    text: ".groupBy { $0.number % \(keys)\(throwing(failure)) }\(end.text).flatMap { \(inner) }",
                    effect: {
                        $0.mayDrop()
                        $0.mayCut()
                    }
                ) { source, _ in
                    end.apply(source.groupBy { try $0.checked(failure).number % keys }).flatMap { group in
                        guard let hop else { return group.asObservable() }
                        let key = lane << 32 | UInt64(group.key)
                        return group.map { $0.inLane(key) }.observe(on: hop.scheduler)
                    }
                }
            }
        ),
    ]
}
