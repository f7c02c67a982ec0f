import RxEngine

extension OperatorTable {
    static let filtering: [(weight: Int, recipe: StepRecipe)] = [
        (
            5,
            { state in
                let (rest, failure) = (state.random.below(3), state.failure())
                return OperatorStep(
                    "filter", text: ".filter { $0.number % 3 != \(rest)\(throwing(failure)) }",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.filter { try $0.checked(failure).number % 3 != rest } }
            }
        ),
        (
            2,
            { _ in
                OperatorStep(
                    "distinctUntilChanged", text: ".distinctUntilChanged { $0.number / 2 }",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.distinctUntilChanged { $0.number / 2 } }
            }
        ),
        (
            2,
            { state in
                let rest = state.random.below(2)
                return OperatorStep(
                    "compactMap", text: ".compactMap { $0.number % 2 == \(rest) ? $0 : nil }",
                    effect: { $0.mayDrop() }
                ) { source, _ in source.compactMap { $0.number % 2 == rest ? $0 : nil } }
            }
        ),
        (
            4,
            { state in
                let count = state.random.below(12)
                return OperatorStep("take", text: ".take(\(count))", effect: { $0.mayCut() }) { source, _ in
                    source.take(count)
                }
            }
        ),
        (
            2,
            { state in
                let count = state.random.below(4)
                return OperatorStep("takeLast", text: ".takeLast(\(count))", effect: { $0.mayCut() }) { source, _ in
                    source.takeLast(count)
                }
            }
        ),
        (
            2,
            { state in
                let count = state.random.below(4)
                return OperatorStep("skip", text: ".skip(\(count))", effect: { $0.mayCut() }) { source, _ in
                    source.skip(count)
                }
            }
        ),
        (
            2,
            { state in
                let (last, behavior) = (
                    state.random.below(20), state.random.pick([TakeBehavior.inclusive, .exclusive])
                )
                return OperatorStep(
                    "takeWhile", text: ".take(while: { $0.number != \(last) }, behavior: .\(behavior))",
                    effect: { $0.mayCut() }
                ) { source, _ in source.take(while: { $0.number != last }, behavior: behavior) }
            }
        ),
        (
            2,
            { state in
                let first = state.random.below(6)
                return OperatorStep(
                    "skipWhile", text: ".skip(while: { $0.number < \(first) })", effect: { $0.mayCut() }
                ) { source, _ in source.skip(while: { $0.number < first }) }
            }
        ),
        (
            1,
            { _ in
                OperatorStep("first", text: ".first().compactMap", effect: { $0.mayCut() }) { source, _ in
                    source.first().asObservable().compactMap { $0 }
                }
            }
        ),
        (
            1,
            { state in
                let index = state.random.below(5)
                return OperatorStep("elementAt", text: ".element(at: \(index))", effect: { $0.mayCut() }) { source, _ in
                    source.element(at: index)
                }
            }
        ),
        (
            1,
            { state in
                let producer = state.producer()
                return OperatorStep(
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
