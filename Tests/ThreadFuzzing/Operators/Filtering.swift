import RxEngine

extension StageTable {
    static let filtering: [(weight: Int, recipe: StageRecipe)] = [
        (
            5,
            { draft in
                let (rest, failure) = (draft.random.below(3), draft.failure())
                return Stage(
                    "filter", text: ".filter { $0.number % 3 != \(rest)\(throwing(failure)) }",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.filter { try $0.checked(failure).number % 3 != rest } }
            }
        ),
        (
            2,
            { _ in
                Stage(
                    "distinctUntilChanged", text: ".distinctUntilChanged { $0.number / 2 }",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.distinctUntilChanged { $0.number / 2 } }
            }
        ),
        (
            2,
            { draft in
                let rest = draft.random.below(2)
                return Stage(
                    "compactMap", text: ".compactMap { $0.number % 2 == \(rest) ? $0 : nil }",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.compactMap { $0.number % 2 == rest ? $0 : nil } }
            }
        ),
        (
            4,
            { draft in
                let count = draft.random.below(12)
                return Stage("take", text: ".take(\(count))", effect: { $0.mayCut() }) { source, _ in
                    source.take(count)
                }
            }
        ),
        (
            2,
            { draft in
                let count = draft.random.below(4)
                return Stage("takeLast", text: ".takeLast(\(count))", effect: { $0.mayCut() }) { source, _ in
                    source.takeLast(count)
                }
            }
        ),
        (
            2,
            { draft in
                let count = draft.random.below(4)
                return Stage("skip", text: ".skip(\(count))", effect: { $0.mayCut() }) { source, _ in
                    source.skip(count)
                }
            }
        ),
        (
            2,
            { draft in
                let (last, behavior) = (
                    draft.random.below(20), draft.random.pick([TakeBehavior.inclusive, .exclusive])
                )
                return Stage(
                    "takeWhile", text: ".take(while: { $0.number != \(last) }, behavior: .\(behavior))",
                    effect: { $0.mayCut() }
                ) { source, _ in source.take(while: { $0.number != last }, behavior: behavior) }
            }
        ),
        (
            2,
            { draft in
                let first = draft.random.below(6)
                return Stage(
                    "skipWhile", text: ".skip(while: { $0.number < \(first) })", effect: { $0.mayCut() }
                ) { source, _ in source.skip(while: { $0.number < first }) }
            }
        ),
        (
            1,
            { _ in
                Stage("first", text: ".first().compactMap", effect: { $0.mayCut() }) { source, _ in
                    source.first().asObservable().compactMap { $0 }
                }
            }
        ),
        (
            1,
            { draft in
                let index = draft.random.below(5)
                return Stage("elementAt", text: ".element(at: \(index))", effect: { $0.mayCut() }) { source, _ in
                    source.element(at: index)
                }
            }
        ),
        (
            1,
            { draft in
                let producer = draft.producer()
                return Stage(
                    "ifEmpty", text: ".ifEmpty(default: p\(producer))", effect: { $0.streams = nil }
                ) { source, run in
                    .deferred {
                        source.ifEmpty(default: Tagged(producer: producer, run: run.nextRun(), number: 0, of: 1))
                    }
                }
            }
        ),
    ]
}
