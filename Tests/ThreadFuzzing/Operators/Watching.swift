import RxEngine

extension StageTable {
    static let watching: [(weight: Int, recipe: StageRecipe)] = [
        (
            6,
            { draft in
                let place = "do \(draft.lane())"
                return Stage("do", "deferred", text: ".do(…) // \(place)") { source, run in
                    Probe.watch(source, place, run)
                }
            }
        ),
        (
            2,
            { draft in
                let failure = draft.failure()
                return Stage("do", text: ".do(onNext:\(throwing(failure)))") { source, _ in
                    source.do(onNext: { _ = try $0.checked(failure) })
                }
            }
        ),
        (
            4,
            { _ in
                Stage("using", text: ".using") { source, run in
                    .using({ run.makeResource() }, observableFactory: { _ in source })
                }
            }
        ),
        (
            2,
            { draft in
                let producer = draft.producer()
                return Stage(
                    "startWith", "deferred", text: ".startWith(p\(producer))",
                    effect: {
                        $0.streams = $0.streams.map { $0 + 1 }
                        $0.isCold = true
                    }
                ) { source, run in
                    .deferred {
                        source.startWith(Tagged(producer: producer, run: run.nextRun(), number: 0, of: 1))
                    }
                }
            }
        ),
        (
            1,
            { _ in
                Stage("tag", "checkpoint", text: ".tag(\"fuzz\").checkpoint(\"fuzz\")") { source, _ in
                    source.tag("fuzz").checkpoint("fuzz")
                }
            }
        ),
        (
            1,
            { draft in
                let scheduler = draft.random.pick(Schedulers.allCases)
                return Stage("timestamp", "map", text: ".timestamp(\(scheduler.rawValue)).map") { source, _ in
                    source.timestamp(scheduler: scheduler.scheduler).map { $0.element }
                }
            }
        ),
    ]
}
