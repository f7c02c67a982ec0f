import RxEngine

extension OperatorTable {
    static let utility: [(weight: Int, recipe: StepRecipe)] = [
        (
            6,
            { state in
                let place = "do \(state.lane())"
                return OperatorStep("do", "deferred", text: ".do(…) // \(place)") { source, run in
                    Probe.watch(source, place, run)
                }
            }
        ),
        (
            2,
            { state in
                let failure = state.failure()
                return OperatorStep("do", text: ".do(onNext:\(throwing(failure)))") { source, _ in
                    source.do(onNext: { _ = try $0.checked(failure) })
                }
            }
        ),
        (
            1,
            { _ in
                // It must run once for each subscription, as the resource of using is freed once.
                OperatorStep("do", "deferred", text: ".doFinally { }") { source, run in
                    .deferred {
                        let resource = Locked<CountedResource?>(nil)
                        return source.doFinally { resource.value?.dispose() }
                            .do(onSubscribe: { resource.withLock { $0 = run.makeResource() } })
                    }
                }
            }
        ),
        (
            4,
            { _ in
                OperatorStep("using", text: ".using") { source, run in
                    .using({ run.makeResource() }, observableFactory: { _ in source })
                }
            }
        ),
        (
            2,
            { state in
                let producer = state.producer()
                return OperatorStep(
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
            2,
            { _ in
                OperatorStep("onTerminateDetach", text: ".onTerminateDetach()") { source, _ in
                    source.onTerminateDetach()
                }
            }
        ),
        (
            1,
            { _ in OperatorStep("serialized", text: ".serialized()") { source, _ in source.serialized() } }
        ),
        (
            2,
            { _ in
                OperatorStep("switchOnFirst", text: ".switchOnFirst { $1 }") { source, _ in
                    source.switchOnFirst { _, all in all }
                }
            }
        ),
        (
            1,
            { _ in
                OperatorStep("materialize", text: ".materialize().elements()", effect: { $0.mayCut() }) { source, _ in
                    source.materialize().elements()
                }
            }
        ),
        (
            1,
            { _ in
                OperatorStep("tag", "checkpoint", text: ".tag(\"fuzz\").checkpoint(\"fuzz\")") { source, _ in
                    source.tag("fuzz").checkpoint("fuzz")
                }
            }
        ),
        (
            1,
            { state in
                let scheduler = state.random.pick(Schedulers.allCases)
                return OperatorStep("timestamp", "map", text: ".timestamp(\(scheduler.rawValue)).map") { source, _ in
                    source.timestamp(scheduler: scheduler.scheduler).map { $0.element }
                }
            }
        ),
    ]
}
