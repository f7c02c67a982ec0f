extension HostileConfig {
    /// Configurations whose nodes do not fit together.
    static let graphs: [HostileConfig] = [
        .init(
            "selfCycle", .source, "pipelines: { p: { from: p } }\n",
            gives: "2:25: pipelines form a cycle: p from p"),
        .init(
            "cycle", .source, "pipelines: { p: { from: q }, q: { from: r }, r: { from: p } }\n",
            gives: "2:25: pipelines form a cycle: p from q from r from p"),
        .init(
            "cycleByStep", .source, "pipelines: { p: { from: a, steps: [withLatestFrom: q] }, q: { from: p } }\n",
            gives: "2:52: pipelines form a cycle: p from q from p"),
        .init(
            "unknownInput", .source, "pipelines: { p: { from: b } }\n",
            gives: "2:25: there is no source or pipeline 'b'; there are a, p"),
        .init(
            "noInput", .source, "pipelines: { p: {} }\n",
            gives:
                "2:17: the pipeline needs 'from', the name of a source or a pipeline such as tick, or one of merge, z"
        ),
        .init(
            "twoInputs", .source, "pipelines: { p: { from: a, merge: [a] } }\n",
            gives: "2:28: a pipeline has one input, found 'from' and 'merge'; remove one, or make two pipelines"),
        .init(
            "emptyMerge", .source, "pipelines: { p: { merge: [] } }\n",
            gives: "2:26: expected nodes such as [tick, api] or { time: tick, state: api }, found an empty list"),
        .init(
            "sameName", "sources: { p: { interval: 1s } }\npipelines: { p: { from: p } }\n",
            gives: "2:14: 'p' is already the name of a source or pipeline, at line 1; choose another"),
        .init(
            "longChain", .source, "pipelines:\n  p0: { from: a }\n",
            .each(2_999) { "  p\($0 + 1): { from: p\($0) }\n" },
            gives:
                "503:17: 'p500' is at the end of a chain of more than 500 pipelines; put the steps of several"
        ),
        .init("wideMerge", .source, "pipelines: { p: { merge: [a", .times(", a", 19_999), "] } }", gives: nil),
        .init(
            "noKind", "sources: { a: {} }\n", .pipeline,
            gives:
                "1:15: expected a source (one of command, files, http, interval, journal, unit), found an empty mapping"
        ),
        .init(
            "twoKinds", "sources: { a: { interval: 1s, files: /tmp } }\n", .pipeline,
            gives: "1:31: a source has one kind, found 'interval' and 'files'; make it two sources"),
        .init(
            "wrongKind", "sources: { a: { intervall: 1s } }\n", .pipeline,
            gives: "1:17: unknown source 'intervall'; did you mean 'interval'?"),
        .init(
            "sourceText", "sources: { a: interval }\n", .pipeline,
            gives:
                "1:15: interval needs a mapping of every, delay, jitter, align, inFlight; found nothing; write { every: 10s }"
        ),
        .init(
            "sourceNumber", "sources: 5\n", .pipeline,
            gives:
                "1:10: expected a mapping, each value a source (one of command, files, http, interval, journal,"
        ),
        .init(
            "stepsText", .source, "pipelines: { p: { from: a, steps: map } }\n",
            gives:
                "2:35: expected a list, each element a step (rxwatchd.yaml(5) lists all steps), found 'map'; put"
        ),
        .init(
            "stepNumber", .source, "pipelines: { p: { from: a, steps: [5] } }\n",
            gives:
                "2:36: unknown step '5'; rxwatchd.yaml(5) lists all steps"
        ),
        .init(
            "stepUnknown", .source, "pipelines: { p: { from: a, steps: [mapp: .] } }\n",
            gives: "2:36: unknown step 'mapp'; did you mean 'map'?"),
        .init(
            "stepTwoKeys", .source, "pipelines: { p: { from: a, steps: [{ map: ., filter: . }] } }\n",
            gives: "2:46: a step has one kind, found 'map' and 'filter'; make it two steps"),
        .init(
            "sinkUnknown", .source, "pipelines: { p: { from: a, to: [stdoutt] } }\n",
            gives: "2:33: unknown sink 'stdoutt'; did you mean 'stdout'?"),
        .init(
            "sinkMapText", .source, "pipelines: { p: { from: a, to: { stdout: x } } }\n",
            gives:
                "2:32: expected a list, each element a sink (one of command, file, http, journal, stdout, unit),"
        ),
        .init(
            "unknownKeys", .source, "pipelines: { p: { from: a, to: [stdout] } }\nsourcess: {}\n",
            gives: "3:1: unknown key 'sourcess' in the configuration; did you mean 'sources'?"),
        .init(
            "daemonUnknown", .source, "pipelines: { p: { from: a, to: [stdout] } }\ndaemon: { drian: 1s }\n",
            gives: "3:11: unknown key 'drian' in daemon; did you mean 'drain'?"),
        .init(
            "daemonList", .source, "pipelines: { p: { from: a, to: [stdout] } }\ndaemon: [1]\n",
            gives: "3:9: daemon needs a mapping of resources, drain, page; found a list"),
        .init(
            "testsText", .source, "pipelines: { p: { from: a, to: [stdout] } }\ntests: x\n",
            gives: "3:8: expected a mapping, each value a mapping with 'inputs' and 'expect', found 'x'"),
    ]
}
