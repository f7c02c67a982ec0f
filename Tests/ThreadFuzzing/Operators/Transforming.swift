import RxEngine

extension Tagged {
    /// The same element; throws if its number modulo 20 is `failure`.
    func checked(_ failure: Int?) throws -> Tagged {
        if let failure, number % 20 == failure { throw FuzzError(place: "closure") }
        return self
    }
}

/// The end of a closure's text, with the element at which it throws.
func throwing(_ failure: Int?) -> String {
    failure.map { ", throws where number % 20 == \($0)" } ?? ""
}

extension OperatorTable {
    static let transforming: [(weight: Int, recipe: StepRecipe)] = [
        (
            1,
            { _ in
                OperatorStep("mapTo", "concatMap", text: ".concatMap { .just(0).mapTo($0) }") { source, _ in
                    source.concatMap { element in Observable.just(0).mapTo(element) }
                }
            }
        ),
        (
            1,
            { state in
                let rest = state.random.below(3)
                return OperatorStep(
                    "unwrap", "map", text: ".map { $0.number % 3 != \(rest) ? $0 : nil }.unwrap()",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.map { $0.number % 3 != rest ? $0 : nil }.unwrap() }
            }
        ),
        (
            1,
            { state in
                let rest = state.random.below(3)
                return OperatorStep(
                    "cast", "map",
                    text: ".map { $0.number % 3 != \(rest) ? $0 : () }.ofType(Tagged.self).cast(to: Tagged.self)",
                    effect: { $0.mayDrop() }
                ) { source, _ in
                    source.map { $0.number % 3 != rest ? $0 : () as any Sendable }.ofType(Tagged.self)
                        .cast(to: Tagged.self)
                }
            }
        ),
        (
            2,
            { state in
                let failure = state.failure()
                return OperatorStep("mapAsync", text: ".mapAsync { await …; $0\(throwing(failure)) }") { source, _ in
                    source.mapAsync { element in
                        await Task.yield()
                        return try element.checked(failure)
                    }
                }
            }
        ),
        (
            8,
            { state in
                let failure = state.failure()
                return OperatorStep("map", text: ".map { $0\(throwing(failure)) }") { source, _ in
                    source.map { try $0.checked(failure) }
                }
            }
        ),
        (
            4,
            { state in
                let failure = state.failure()
                return OperatorStep("scan", text: ".scan(nil) { $1\(throwing(failure)) }.compactMap") { source, _ in
                    source.scan(Tagged?.none) { try $1.checked(failure) }.compactMap { $0 }
                }
            }
        ),
        (
            3,
            { state in
                let failure = state.failure()
                return OperatorStep("scan", "map", text: ".scan(into: []) { $0 = [$1]\(throwing(failure)) }.map") {
                    source, _ in
                    source.scan(into: [Tagged]()) { $0 = [try $1.checked(failure)] }.map { $0[0] }
                }
            }
        ),
        (
            2,
            { state in
                let (rest, failure) = (state.random.below(3), state.failure())
                return OperatorStep(
                    "bufferWhile", "concatMap",
                    text: ".buffer(while: { $0.number % 3 != \(rest)\(throwing(failure)) }).concatMap { .from($0) }",
                    effect: { $0.mayDrop() }
                ) { source, _ in
                    source.buffer(while: { try $0.checked(failure).number % 3 != rest })
                        .concatMap { Observable.from($0) }
                }
            }
        ),
        (
            2,
            { _ in
                OperatorStep("enumerated", "map", text: ".enumerated().map { $0.element }") { source, _ in
                    source.enumerated().map { $0.element }
                }
            }
        ),
        (
            2,
            { _ in
                OperatorStep(
                    "pairwise", "map", text: ".pairwise().map { $0.current }", effect: { $0.mayCut() }
                ) { source, _ in source.pairwise().map { $0.current } }
            }
        ),
        (
            2,
            { _ in
                OperatorStep("materialize", "dematerialize", text: ".materialize().dematerialize()") { source, _ in
                    source.materialize().dematerialize()
                }
            }
        ),
        (
            2,
            { _ in
                OperatorStep("toArray", "concatMap", text: ".toArray().concatMap { .from($0) }") { source, _ in
                    source.toArray().asObservable().concatMap { Observable.from($0) }
                }
            }
        ),
        (
            2,
            { _ in
                OperatorStep("withUnretained", text: ".withUnretained(owner) { $1 }") { source, run in
                    source.withUnretained(run.owner) { $1 }
                }
            }
        ),
        (
            3,
            { state in
                let failure = state.failure()
                return OperatorStep(
                    "groupBy", "flatMap", text: ".groupBy { $0.number % 3\(throwing(failure)) }.flatMap { $0 }"
                ) {
                    source, _ in source.groupBy { try $0.checked(failure).number % 3 }.flatMap { $0 }
                }
            }
        ),
        (
            2,
            { state in
                let (scheduler, lane) = (state.random.pick(Schedulers.allCases), state.lane())
                return OperatorStep(
                    "groupBy", "flatMap", "observeOn",
                    text: ".groupBy { $0.number % 3 }.flatMap { $0.inLane(\(lane), $0.key).observe(on: \(scheduler)) }",
                    effect: {
                        $0.mayDrop()
                        $0.streams = nil
                    }
                ) { source, _ in
                    source.groupBy { $0.number % 3 }.flatMap { group in
                        let key = lane << 32 | UInt64(group.key)
                        return group.map { $0.inLane(key) }.observe(on: scheduler.scheduler)
                    }
                }
            }
        ),
        (
            3,
            { state in
                let count = state.random.within(1...4)
                return OperatorStep("buffer", "concatMap", text: ".buffer(count: \(count)).concatMap { .from($0) }") {
                    source, _ in source.buffer(count: count).concatMap { Observable.from($0) }
                }
            }
        ),
    ]
}
