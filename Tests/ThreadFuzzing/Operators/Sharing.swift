import RxEngine

extension Guarantees {
    /// One run for several subscribers, all but the first of which may subscribe in the middle, after the element that
    /// the source remembers.
    mutating func isShared(replay: Int) {
        if isCold || remembers {
            isComplete = false
            streams = nil
        }
        if replay > 0 { remembers = true }
    }

    /// The same, with a subject that outlives a run.
    mutating func isSharedForever(replay: Int) {
        isShared(replay: replay)
        // A new subscriber receives the replayed elements first, and then the current ones.
        if isHot { isGapless = false }
        if remembers, isHot {
            isOrdered = false
            isUnique = false
        }
        isComplete = false
        remembers = true
    }
}

extension OperatorTable {
    static let sharing: [(weight: Int, recipe: StepRecipe)] = [
        (
            2,
            { state in
                let failure = state.failure()
                return OperatorStep(
                    "partition", "merge", text: ".partition { $0.number % 2 == 0\(throwing(failure)) } // merged",
                    effect: {
                        // The second part may subscribe in the middle, or to a run of its own, which may receive remembered
                        // elements again.
                        let remembers = $0.remembers
                        $0.isShared(replay: 0)
                        $0.mayDrop()
                        $0.streams = nil
                        if remembers { ($0.isOrdered, $0.isUnique) = (false, false) }
                    }
                ) { source, _ in
                    let parts = source.partition { try $0.checked(failure).number % 2 == 0 }
                    return .merge(parts.matching, parts.others)
                }
            }
        ),
        (
            4,
            { _ in
                OperatorStep("share", text: ".share()", effect: { $0.isShared(replay: 0) }) { source, _ in
                    source.share()
                }
            }
        ),
        (
            4,
            { state in
                let size = state.random.within(1...3)
                return OperatorStep(
                    "share(replay:)", text: ".share(replay: \(size))", effect: { $0.isShared(replay: size) }
                ) {
                    source, _ in source.share(replay: size)
                }
            }
        ),
        (
            4,
            { state in
                let (size, microseconds) = (state.random.within(0...2), state.random.within(1...300))
                let scheduler = state.random.pick(Schedulers.allCases)
                return OperatorStep(
                    "share(grace)",
                    text: ".share(replay: \(size), scope: grace of \(microseconds) µs, \(scheduler.rawValue))",
                    effect: { $0.isShared(replay: size) }
                ) { source, _ in
                    source.share(
                        replay: size,
                        scope: .whileConnected(grace: .microseconds(microseconds), scheduler: scheduler.scheduler))
                }
            }
        ),
        (
            3,
            { state in
                let size = state.random.within(0...3)
                return OperatorStep(
                    "share(.forever)", text: ".share(replay: \(size), scope: .forever)",
                    effect: { [size] in $0.isSharedForever(replay: size) }
                ) { source, _ in source.share(replay: size, scope: .forever) }
            }
        ),
        (
            2,
            { _ in
                OperatorStep("publish", "refCount", text: ".publish().refCount()", effect: { $0.isShared(replay: 0) }) {
                    source, _ in source.publish().refCount()
                }
            }
        ),
        (
            2,
            { state in
                let size = state.random.within(0...3)
                return OperatorStep(
                    "replay", "refCount", text: ".replay(\(size)).refCount()", effect: { $0.isShared(replay: size) }
                ) { source, _ in source.replay(size).refCount() }
            }
        ),
        (
            2,
            { _ in
                OperatorStep(
                    "multicast(makeSubject:)", "refCount", text: ".multicast { PublishSubject() }.refCount()",
                    effect: { $0.isShared(replay: 0) }
                ) { source, _ in source.multicast { PublishSubject<Tagged>() }.refCount() }
            }
        ),
        (
            2,
            { state in
                let size = state.random.within(0...2)
                return OperatorStep(
                    "multicast(subject)", "refCount", text: ".multicast(ReplaySubject(\(size))).refCount()",
                    effect: { $0.isSharedForever(replay: size) }
                ) { source, _ in source.multicast(ReplaySubject<Tagged>.create(bufferSize: size)).refCount() }
            }
        ),
        (
            2,
            { state in
                let lane = state.lane()
                return OperatorStep(
                    "multicast(selector:)", "merge",
                    text: ".multicast({ PublishSubject() }) { .merge($0, $0.inLane(\(lane))) }",
                    effect: {
                        $0.streams = $0.streams.map { $0 * 2 }
                        $0.size *= 2
                    }
                ) { source, _ in
                    source.multicast({ PublishSubject<Tagged>() }) { one in
                        .merge(one, one.map { $0.inLane(lane) })
                    }
                }
            }
        ),
        (
            1,
            { _ in
                OperatorStep(
                    "multicast(selector:)", "sequenceEqual",
                    text: ".multicast({ PublishSubject() }) { .merge($0, $0.sequenceEqual($0) // true) }"
                ) { source, run in
                    source.multicast({ PublishSubject<Tagged>() }) { one in
                        let answer = one.sequenceEqual(one).asObservable()
                        return .merge(
                            one,
                            answer.compactMap { isEqual in
                                if !isEqual { run.report("sequenceEqual finds a sequence unequal to itself") }
                                return nil
                            })
                    }
                }
            }
        ),
        (
            2,
            { state in
                let (producer, isDriver) = (state.producer(), state.random.chance(60))
                let name = isDriver ? "asDriver" : "asSignal"
                return OperatorStep(
                    name, text: ".\(name)(onErrorRecover: p\(producer)).asObservable()",
                    effect: {
                        $0.isShared(replay: isDriver ? 1 : 0)
                        $0.mayCut()
                    }
                ) { source, run in
                    let element: @Sendable () -> Tagged = {
                        Tagged(producer: producer, run: run.nextRun(), number: 0, of: 1)
                    }
                    if isDriver {
                        return source.asDriver(onErrorRecover: { _ in .just(element()) }).map { $0 }.asObservable()
                    }
                    return source.asSignal(onErrorRecover: { _ in .just(element()) }).map { $0 }.asObservable()
                }
            }
        ),
    ]
}
