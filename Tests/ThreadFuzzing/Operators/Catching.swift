import RxEngine

extension Observable<Tagged> {
    /// Puts each subscription into a lane of its own, so that a repeated element is not mistaken for a duplicate.
    func inOwnLanes(_ run: RunContext, _ lane: UInt64) -> Observable<Tagged> {
        .deferred {
            let attempt = lane << 32 | run.nextRun()
            return self.map { $0.inLane(attempt) }
        }
    }
}

extension OperatorTable {
    static let errors: [(weight: Int, recipe: StepRecipe)] = [
        (
            4,
            { state in
                let (rest, count, lane) = (state.random.below(7), state.random.within(1...4), state.lane())
                return OperatorStep(
                    "map", "retry", text: ".map { throws where number % 7 == \(rest) }.inOwnLanes.retry(\(count))",
                    effect: {
                        $0.mayCut()
                        $0.size *= count
                    }
                ) { source, run in failing(source, rest).inOwnLanes(run, lane).retry(count) }
            }
        ),
        (
            3,
            { state in
                let (rest, count, lane) = (state.random.below(7), state.random.within(0...3), state.lane())
                let wait = state.random.chance(50) ? state.random.within(1...100) : nil
                let scheduler = state.random.pick(Schedulers.allCases)
                let notifier = wait.map { "errors.take(\(count)).delay(\($0) µs, \(scheduler.rawValue))" }
                return OperatorStep(
                    "map", "retryWhen",
                    text: ".map { throws where number % 7 == \(rest) }.inOwnLanes.retry(when: { errors in "
                        + "\(notifier ?? "errors.take(\(count))") })",
                    effect: {
                        $0.mayCut()
                        $0.size *= count + 1
                    }
                ) { source, run in
                    failing(source, rest).inOwnLanes(run, lane).retry(when: { (errors: Observable<any Error>) in
                        let some = errors.take(count)
                        return wait.map { some.delay(.microseconds($0), scheduler: scheduler.scheduler) } ?? some
                    })
                }
            }
        ),
        (
            3,
            { state in
                let (rest, other) = (state.random.below(7), state.cold())
                return OperatorStep(
                    "map", "catch", text: ".map { throws where number % 7 == \(rest) }.catch { \(other.text) }",
                    effect: {
                        $0.mayCut()
                        $0.isCold = true
                        $0.size += other.count
                    }
                ) { source, run in failing(source, rest).catch { _ in other.make(run) } }
            }
        ),
        (
            2,
            { state in
                let (rest, producer) = (state.random.below(7), state.producer())
                return OperatorStep(
                    "map", "catchAndReturn",
                    text: ".map { throws where number % 7 == \(rest) }.catchAndReturn(p\(producer))",
                    effect: { $0.mayCut() }
                ) { source, run in
                    .deferred {
                        let element = Tagged(producer: producer, run: run.nextRun(), number: 0, of: 1)
                        return failing(source, rest).catchAndReturn(element)
                    }
                }
            }
        ),
    ]
}
