import RxEngine
import SeededRandom

extension OperatorTable {
    static let retrying: [(weight: Int, recipe: StepRecipe)] = [
        (
            4,
            { state in
                let (rest, lane) = (state.random.below(7), state.lane())
                let notifier = RetryNotifier(&state.random)
                return OperatorStep(
                    "map", "retryWhen", text: "\(failingText(rest)).inOwnLanes.retry(when: { \(notifier.text) })",
                    effect: {
                        $0.mayCut()
                        $0.size *= notifier.count + 1
                    }
                ) { source, run in failing(source, rest).inOwnLanes(run, lane).retry(when: notifier.make) }
            }
        ),
        (
            3,
            { state in
                let (lane, times) = (state.lane(), state.random.within(0...3))
                return OperatorStep(
                    "repeatWhen", text: ".inOwnLanes.repeat { $0.take(\(times)) }",
                    effect: {
                        $0.mayCut()
                        $0.size *= times + 1
                    }
                ) { source, run in source.inOwnLanes(run, lane).repeat { $0.take(times) } }
            }
        ),
        (
            3,
            { state in
                let (rest, lane) = (state.random.below(7), state.lane())
                let (times, scheduler) = (state.random.within(0...3), state.random.pick(Schedulers.allCases))
                let (policy, text) = policy(&state, times: times)
                return OperatorStep(
                    "map", "retry(policy)",
                    text: "\(failingText(rest)).inOwnLanes.retry(\(text), \(scheduler.rawValue))",
                    effect: {
                        $0.mayCut()
                        $0.size *= times + 1
                    }
                ) { source, run in
                    failing(source, rest).inOwnLanes(run, lane).retry(policy, scheduler: scheduler.scheduler)
                }
            }
        ),
        (
            1,
            { state in
                let (rest, lane, count) = (state.random.below(7), state.lane(), state.random.within(1...20))
                let (times, scheduler) = (state.random.within(0...2), state.random.pick(Schedulers.allCases))
                var (policy, text) = policy(&state, times: times)
                policy.elementsReset = true
                text += " with elementsReset"
                // Each attempt counts as a failure or emits an element, so `take` or the last error ends it.
                return OperatorStep(
                    "map", "retry(policy)",
                    text: "\(failingText(rest)).inOwnLanes.retry(\(text), \(scheduler.rawValue)).take(\(count))",
                    effect: {
                        $0.mayCut()
                        $0.size = count
                    }
                ) { [policy] source, run in
                    failing(source, rest).inOwnLanes(run, lane).retry(policy, scheduler: scheduler.scheduler)
                        .take(count)
                }
            }
        ),
    ]

    /// A source that fails at the elements whose number modulo 7 is `rest`.
    static func failing(_ source: Observable<Tagged>, _ rest: Int) -> Observable<Tagged> {
        source.map {
            if $0.number % 7 == rest { throw FuzzError(place: "map") }
            return $0
        }
    }

    static func failingText(_ rest: Int) -> String { ".map { throws where number % 7 == \(rest) }" }

    private static func policy(_ state: inout GeneratorState, times: Int) -> (RetryPolicy, String) {
        let (microseconds, jitter) = (state.random.within(1...100), state.random.pick([0, 0.5, 1]))
        let wait = RxTimeInterval.microseconds(microseconds)
        switch state.random.below(3) {
        case 0: return (.immediate(times: times), "immediate(times: \(times))")
        case 1:
            let text = "delayed(\(microseconds) µs, times: \(times), jitter: \(jitter))"
            return (.delayed(wait, times: times, jitter: jitter), text)
        default:
            let text = "exponential(from: \(microseconds) µs, upTo: 200 µs, times: \(times), jitter: \(jitter))"
            return (.exponential(from: wait, upTo: .microseconds(200), times: times, jitter: jitter), text)
        }
    }
}

/// Notifications of `retry(when:)` that reach it on another thread than the errors, possibly while the error is still
/// being emitted. Their last element and their end follow each other at once.
struct RetryNotifier: Sendable {
    enum Kind: CaseIterable {
        case observeThenTake, takeThenObserve, timerThenTake, takeThenTimer, limitedTime
    }

    let kind: Kind
    let count: Int
    let microseconds: Int
    let scheduler: Schedulers
    /// How long the thread that emits an error is busy after the notifier has received it: without a pause, that thread
    /// has left `retry(when:)` before the other thread notifies it.
    let pause: Int

    init(_ random: inout SplitMix64) {
        kind = random.pick(Kind.allCases)
        count = random.within(0...4)
        microseconds = random.within(0...50)
        scheduler = random.pick(Schedulers.allCases)
        pause = random.chance(70) ? random.below(60_000) : 0
    }

    var text: String {
        let (hop, timer) = (".observe(on: \(scheduler))", ".flatMap { timer(\(microseconds) µs, \(scheduler)) }")
        return switch kind {
        case .observeThenTake: "$0\(hop).take(\(count))"
        case .takeThenObserve: "$0.take(\(count))\(hop)"
        case .timerThenTake: "$0\(timer).take(\(count))"
        case .takeThenTimer: "$0.take(\(count))\(timer)"
        case .limitedTime: "$0\(timer).take(\(count)).take(for: \(microseconds * 4) µs, \(scheduler))"
        }
    }

    @Sendable func make(_ errors: Observable<any Error>) -> Observable<Void> {
        let some = errors.do(afterNext: { _ in if pause > 0 { spin(pause) } }).map { _ in }
        let scheduler = scheduler.scheduler
        let timer = Observable<Int>.timer(.microseconds(microseconds), scheduler: scheduler).map { _ in }
        return switch kind {
        case .observeThenTake: some.observe(on: scheduler).take(count)
        case .takeThenObserve: some.take(count).observe(on: scheduler)
        case .timerThenTake: some.flatMap { timer }.take(count)
        case .takeThenTimer: some.take(count).flatMap { timer }
        case .limitedTime:
            some.flatMap { timer }.take(count).take(for: .microseconds(microseconds * 4), scheduler: scheduler)
        }
    }
}
