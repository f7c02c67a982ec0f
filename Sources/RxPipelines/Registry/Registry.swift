/// All kinds of sources, steps and sinks by their names in the configuration.
///
/// A new kind needs a file of its own and a line here.
package enum Registry {
    package static let sources = KindTable<any SourceKind>(
        "source",
        [
            "command": CommandSource.read,
            "files": FilesSource.read,
            "http": HTTPSource.read,
            "interval": IntervalSource.read,
            "journal": JournalSource.read,
            "unit": UnitSource.read,
        ], meanings: sourceMeanings, synonyms: sourceSynonyms)

    /// Names that users try as steps and that belong elsewhere, with an explanation.
    private static let misplacedInSteps: [String: String] = {
        var places = ["share": "put it beside 'steps'", "to": "put it beside 'steps'"]
        for combination in InputNodes.Combination.allCases {
            places[combination.rawValue] =
                "put it in place of 'from', as in { \(combination): [a, b] }"
        }
        return places
    }()

    /// The names of steps, sources and sinks, which users try as keys of a pipeline, with an explanation.
    static let misplacedInPipeline: [String: String] = {
        var places: [String: String] = [:]
        for name in sources.names { places[name] = "a source; define it under 'sources', and name it in 'from'" }
        for name in sinks.names {
            places[name] =
                places[name] == nil
                ? "a sink; write it in 'to'"
                : "a source or a sink; define a source under 'sources' and name it in 'from', or write a sink in 'to'"
        }
        for name in steps.names { places[name] = "a step; write it in 'steps'" }
        return places
    }()

    package static let steps = KindTable<any StepKind>(
        "step",
        [
            "buffer": BufferStep.read,
            "catch": CatchStep.read,
            "checkpoint": CheckpointStep.read,
            "compactMap": CompactMapStep.read,
            "concatMap": ConcatMapStep.read,
            "debounce": DebounceStep.read,
            "debug": DebugStep.read,
            "delay": DelayStep.read,
            "delaySubscription": DelaySubscriptionStep.read,
            "dematerialize": DematerializeStep.read,
            "distinctUntilChanged": DistinctUntilChangedStep.read,
            "elementAt": ElementAtStep.read,
            "enumerated": EnumeratedStep.read,
            "filter": FilterStep.read,
            "first": FirstStep.read,
            "flatMap": FlatMapStep.read,
            "flatMapFirst": FlatMapFirstStep.read,
            "flatMapLatest": FlatMapLatestStep.read,
            "groupBy": GroupByStep.read,
            "ifEmpty": IfEmptyStep.read,
            "ignoreElements": IgnoreElementsStep.read,
            "map": MapStep.read,
            "materialize": MaterializeStep.read,
            "pairwise": PairwiseStep.read,
            "reduce": ReduceStep.read,
            "retry": RetryStep.read,
            "sample": SampleStep.read,
            "scan": ScanStep.read,
            "single": SingleStep.read,
            "skip": SkipStep.read,
            "skipUntil": SkipUntilStep.read,
            "skipWhile": SkipWhileStep.read,
            "startWith": StartWithStep.read,
            "tag": TagStep.read,
            "take": TakeStep.read,
            "takeLast": TakeLastStep.read,
            "takeUntil": TakeUntilStep.read,
            "takeWhile": TakeWhileStep.read,
            "throttle": ThrottleStep.read,
            "timeout": TimeoutStep.read,
            "timestamp": TimestampStep.read,
            "toArray": ToArrayStep.read,
            "window": WindowStep.read,
            "withLatestFrom": WithLatestFromStep.read,
        ], meanings: stepMeanings, synonyms: stepSynonyms, misplaced: misplacedInSteps)

    package static let sinks = KindTable<any SinkKind>(
        "sink",
        [
            "command": CommandSink.read,
            "file": FileSink.read,
            "http": HTTPSink.read,
            "journal": JournalSink.read,
            "stdout": StdoutSink.read,
            "unit": UnitSink.read,
        ], meanings: sinkMeanings, synonyms: sinkSynonyms)
}
