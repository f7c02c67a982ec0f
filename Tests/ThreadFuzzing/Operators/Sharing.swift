import RxEngine

extension Guarantees {
    /// One run for several subscribers, of which all but the first may come in the middle.
    mutating func isShared(replay: Int) {
        if isCold {
            isComplete = false
            streams = nil
        }
        if replay > 0 { remembers = true }
    }

    /// The same, with a subject that outlives a run.
    mutating func isSharedForever(replay: Int) {
        isShared(replay: replay)
        // Whoever comes back gets what is remembered, and then the present.
        if isHot { isGapless = false }
        if remembers, isHot {
            isOrdered = false
            isUnique = false
        }
        isComplete = false
        remembers = true
    }
}

extension StageTable {
    static let sharing: [(weight: Int, recipe: StageRecipe)] = [
        (
            4,
            { _ in
                Stage("share", text: ".share()", effect: { $0.isShared(replay: 0) }) { source, _ in source.share() }
            }
        ),
        (
            4,
            { draft in
                let size = draft.random.within(1...3)
                return Stage("share(replay:)", text: ".share(replay: \(size))", effect: { $0.isShared(replay: size) }) {
                    source, _ in source.share(replay: size)
                }
            }
        ),
        (
            3,
            { draft in
                let size = draft.random.within(0...3)
                return Stage(
                    "share(.forever)", text: ".share(replay: \(size), scope: .forever)",
                    effect: { [size] in $0.isSharedForever(replay: size) }
                ) { source, _ in source.share(replay: size, scope: .forever) }
            }
        ),
        (
            2,
            { _ in
                Stage("publish", "refCount", text: ".publish().refCount()", effect: { $0.isShared(replay: 0) }) {
                    source, _ in source.publish().refCount()
                }
            }
        ),
        (
            2,
            { draft in
                let size = draft.random.within(0...3)
                return Stage(
                    "replay", "refCount", text: ".replay(\(size)).refCount()", effect: { $0.isShared(replay: size) }
                ) { source, _ in source.replay(size).refCount() }
            }
        ),
        (
            2,
            { _ in
                Stage(
                    "multicast(makeSubject:)", "refCount", text: ".multicast { PublishSubject() }.refCount()",
                    effect: { $0.isShared(replay: 0) }
                ) { source, _ in source.multicast { PublishSubject<Tagged>() }.refCount() }
            }
        ),
        (
            2,
            { draft in
                let size = draft.random.within(0...2)
                return Stage(
                    "multicast(subject)", "refCount", text: ".multicast(ReplaySubject(\(size))).refCount()",
                    effect: { $0.isSharedForever(replay: size) }
                ) { source, _ in source.multicast(ReplaySubject<Tagged>.create(bufferSize: size)).refCount() }
            }
        ),
        (
            2,
            { draft in
                let lane = draft.lane()
                return Stage(
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
            2,
            { draft in
                let (producer, isDriver) = (draft.producer(), draft.random.chance(60))
                let name = isDriver ? "asDriver" : "asSignal"
                return Stage(
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
