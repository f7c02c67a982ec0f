import RxEngine

/// A short delay, and where it takes place.
private struct Wait: Sendable {
    let microseconds: Int
    let scheduler: Schedulers

    init(_ state: inout GeneratorState, _ range: ClosedRange<Int> = 1...200) {
        microseconds = state.random.within(range)
        scheduler = state.random.pick(Schedulers.allCases)
    }

    var time: RxTimeInterval { .microseconds(microseconds) }
    var on: any SchedulerType { scheduler.scheduler }
    var text: String { "\(microseconds) µs, \(scheduler.rawValue)" }
}

extension OperatorTable {
    static let timing: [(weight: Int, recipe: StepRecipe)] = [
        (
            3,
            { state in
                let wait = Wait(&state)
                return OperatorStep("delay", text: ".delay(\(wait.text))") { source, _ in
                    source.delay(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            2,
            { state in
                let wait = Wait(&state)
                return OperatorStep("debounce", text: ".debounce(\(wait.text))", effect: { $0.mayDrop() }) {
                    source, _ in
                    source.debounce(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            2,
            { state in
                let (wait, latest) = (Wait(&state), state.random.chance(50))
                return OperatorStep(
                    "throttle", text: ".throttle(\(wait.text), latest: \(latest))", effect: { $0.mayDrop() }
                ) { source, _ in source.throttle(wait.time, latest: latest, scheduler: wait.on) }
            }
        ),
        (
            1,
            { state in
                let wait = Wait(&state)
                return OperatorStep("throttle", text: ".throttleFirst(\(wait.text))", effect: { $0.mayDrop() }) {
                    source, _ in
                    source.throttleFirst(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            1,
            { state in
                let wait = Wait(&state)
                return OperatorStep("timeInterval", "map", text: ".timeInterval(\(wait.text)).map { $0.element }") {
                    source, _ in
                    source.timeInterval(scheduler: wait.on).map { $0.element }
                }
            }
        ),
        (
            2,
            { state in
                let wait = Wait(&state)
                return OperatorStep("auditTime", text: ".auditTime(\(wait.text))", effect: { $0.mayDrop() }) {
                    source, _ in
                    source.auditTime(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            1,
            { state in
                let wait = Wait(&state, 1...1000)
                return OperatorStep(
                    "takeLast(for:)", text: ".takeLast(for: \(wait.text))", effect: { $0.mayCut() }
                ) { source, _ in source.takeLast(for: wait.time, scheduler: wait.on) }
            }
        ),
        (
            2,
            { state in
                let wait = Wait(&state, 100...3000)
                return OperatorStep("timeout", text: ".timeout(\(wait.text))") { source, _ in
                    source.timeout(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            2,
            { state in
                let (wait, other) = (Wait(&state, 1...1000), state.cold())
                return OperatorStep(
                    "timeout", text: ".timeout(\(wait.text), other: \(other.text))",
                    effect: {
                        $0.mayCut()
                        $0.isCold = true
                        $0.size += other.count
                    }
                ) { source, run in source.timeout(wait.time, other: other.make(run), scheduler: wait.on) }
            }
        ),
        (
            3,
            { state in
                let (wait, count) = (Wait(&state), state.random.within(1...5))
                return OperatorStep(
                    "buffer", "concatMap", text: ".buffer(\(wait.text), count: \(count)).concatMap { .from($0) }"
                ) { source, _ in
                    source.buffer(timeSpan: wait.time, count: count, scheduler: wait.on)
                        .concatMap { Observable.from($0) }
                }
            }
        ),
        (
            3,
            { state in
                let (wait, count) = (Wait(&state), state.random.within(1...5))
                let isMerged = state.random.chance(50)
                return OperatorStep(
                    "window", isMerged ? "merge" : "concat",
                    text: ".window(\(wait.text), count: \(count)).\(isMerged ? "merge" : "concat")()"
                ) { source, _ in
                    let windows = source.window(timeSpan: wait.time, count: count, scheduler: wait.on)
                    return isMerged ? windows.merge() : windows.concat()
                }
            }
        ),
        (
            1,
            { state in
                let wait = Wait(&state, 1...1000)
                return OperatorStep("take", text: ".take(for: \(wait.text))", effect: { $0.mayCut() }) { source, _ in
                    source.take(for: wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            1,
            { state in
                let wait = Wait(&state)
                return OperatorStep("skip", text: ".skip(for: \(wait.text))", effect: { $0.mayCut() }) { source, _ in
                    source.skip(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            1,
            { state in
                let wait = Wait(&state)
                return OperatorStep(
                    "delaySubscription", text: ".delaySubscription(\(wait.text))", effect: { $0.startsLate() }
                ) { source, _ in source.delaySubscription(wait.time, scheduler: wait.on) }
            }
        ),
    ]

    static let scheduling: [(weight: Int, recipe: StepRecipe)] = [
        (
            10,
            { state in
                let scheduler = state.random.pick(Schedulers.allCases)
                return OperatorStep("observeOn", text: ".observe(on: \(scheduler.rawValue))") { source, _ in
                    source.observe(on: scheduler.scheduler)
                }
            }
        ),
        (
            4,
            { state in
                let (scheduler, size) = (state.random.pick(Schedulers.allCases), state.random.within(1...4))
                let rule = state.random.pick(OverflowRule.allCases)
                return OperatorStep(
                    "observeOn(bounded)",
                    text: ".observe(on: \(scheduler.rawValue), bufferSize: \(size), overflow: .\(rule))",
                    effect: {
                        $0.mayDrop()
                        if rule == .error { $0.mayCut() }
                    }
                ) { source, _ in source.observe(on: scheduler.scheduler, bufferSize: size, overflow: rule) }
            }
        ),
        (
            3,
            { state in
                let (scheduler, size) = (state.random.pick(Schedulers.allCases), state.random.within(1...4))
                let rule = state.random.pick(OverflowRule.allCases)
                return OperatorStep(
                    "onBackpressure",
                    text: ".onBackpressure(.buffer(limit: \(size), overflow: .\(rule)), on: \(scheduler.rawValue))",
                    effect: {
                        $0.mayDrop()
                        if rule == .error { $0.mayCut() }
                    }
                ) { source, _ in
                    source.onBackpressure(.buffer(limit: size, overflow: rule), on: scheduler.scheduler) { _ in }
                }
            }
        ),
        (
            4,
            { state in
                let scheduler = state.random.pick(Schedulers.allCases)
                return OperatorStep(
                    "subscribeOn", text: ".subscribe(on: \(scheduler.rawValue))", effect: { $0.startsLate() }
                ) { source, _ in source.subscribe(on: scheduler.scheduler) }
            }
        ),
    ]
}
