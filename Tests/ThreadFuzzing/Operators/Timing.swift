import RxEngine

/// A short time and where it passes.
private struct Wait: Sendable {
    let microseconds: Int
    let scheduler: Schedulers

    init(_ draft: inout Draft, _ range: ClosedRange<Int> = 1...200) {
        microseconds = draft.random.within(range)
        scheduler = draft.random.pick(Schedulers.allCases)
    }

    var time: RxTimeInterval { .microseconds(microseconds) }
    var on: any SchedulerType { scheduler.scheduler }
    var text: String { "\(microseconds) µs, \(scheduler.rawValue)" }
}

extension StageTable {
    static let timing: [(weight: Int, recipe: StageRecipe)] = [
        (
            3,
            { draft in
                let wait = Wait(&draft)
                return Stage("delay", text: ".delay(\(wait.text))") { source, _ in
                    source.delay(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            2,
            { draft in
                let wait = Wait(&draft)
                return Stage("debounce", text: ".debounce(\(wait.text))", effect: { $0.mayDrop() }) { source, _ in
                    source.debounce(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            2,
            { draft in
                let (wait, latest) = (Wait(&draft), draft.random.chance(50))
                return Stage(
                    "throttle", text: ".throttle(\(wait.text), latest: \(latest))", effect: { $0.mayDrop() }
                ) { source, _ in source.throttle(wait.time, latest: latest, scheduler: wait.on) }
            }
        ),
        (
            2,
            { draft in
                let wait = Wait(&draft, 100...3000)
                return Stage("timeout", text: ".timeout(\(wait.text))") { source, _ in
                    source.timeout(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            2,
            { draft in
                let (wait, other) = (Wait(&draft, 1...1000), draft.cold())
                return Stage(
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
            { draft in
                let (wait, count) = (Wait(&draft), draft.random.within(1...5))
                return Stage(
                    "buffer", "concatMap", text: ".buffer(\(wait.text), count: \(count)).concatMap { .from($0) }"
                ) { source, _ in
                    source.buffer(timeSpan: wait.time, count: count, scheduler: wait.on)
                        .concatMap { Observable.from($0) }
                }
            }
        ),
        (
            3,
            { draft in
                let (wait, count) = (Wait(&draft), draft.random.within(1...5))
                let isMerged = draft.random.chance(50)
                return Stage(
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
            { draft in
                let wait = Wait(&draft, 1...1000)
                return Stage("take", text: ".take(for: \(wait.text))", effect: { $0.mayCut() }) { source, _ in
                    source.take(for: wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            1,
            { draft in
                let wait = Wait(&draft)
                return Stage("skip", text: ".skip(for: \(wait.text))", effect: { $0.mayCut() }) { source, _ in
                    source.skip(wait.time, scheduler: wait.on)
                }
            }
        ),
        (
            1,
            { draft in
                let wait = Wait(&draft)
                return Stage(
                    "delaySubscription", text: ".delaySubscription(\(wait.text))", effect: { $0.startsLate() }
                ) { source, _ in source.delaySubscription(wait.time, scheduler: wait.on) }
            }
        ),
    ]

    static let hopping: [(weight: Int, recipe: StageRecipe)] = [
        (
            10,
            { draft in
                let scheduler = draft.random.pick(Schedulers.allCases)
                return Stage("observeOn", text: ".observe(on: \(scheduler.rawValue))") { source, _ in
                    source.observe(on: scheduler.scheduler)
                }
            }
        ),
        (
            4,
            { draft in
                let (scheduler, size) = (draft.random.pick(Schedulers.allCases), draft.random.within(1...4))
                let rule = draft.random.pick(OverflowRule.allCases)
                return Stage(
                    "observeOn(bounded)",
                    text: ".observe(on: \(scheduler.rawValue), bufferSize: \(size), overflow: .\(rule))",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.observe(on: scheduler.scheduler, bufferSize: size, overflow: rule) }
            }
        ),
        (
            4,
            { draft in
                let scheduler = draft.random.pick(Schedulers.allCases)
                return Stage(
                    "subscribeOn", text: ".subscribe(on: \(scheduler.rawValue))", effect: { $0.startsLate() }
                ) { source, _ in source.subscribe(on: scheduler.scheduler) }
            }
        ),
    ]
}
