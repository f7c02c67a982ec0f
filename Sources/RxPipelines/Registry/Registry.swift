/// Every kind of source, step and sink by its name in the config: a new one is a file of its own and a line here.
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
        ])

    package static let steps = KindTable<any StepKind>(
        "step",
        [
            "buffer": BufferStep.read,
            "compactMap": CompactMapStep.read,
            "debounce": DebounceStep.read,
            "delay": DelayStep.read,
            "distinctUntilChanged": DistinctUntilChangedStep.read,
            "elementAt": ElementAtStep.read,
            "filter": FilterStep.read,
            "map": MapStep.read,
            "pairwise": PairwiseStep.read,
            "reduce": ReduceStep.read,
            "scan": ScanStep.read,
            "skip": SkipStep.read,
            "skipWhile": SkipWhileStep.read,
            "take": TakeStep.read,
            "takeLast": TakeLastStep.read,
            "takeWhile": TakeWhileStep.read,
            "throttle": ThrottleStep.read,
            "toArray": ToArrayStep.read,
        ])

    package static let sinks = KindTable<any SinkKind>(
        "sink",
        [
            "journal": JournalSink.read,
            "stdout": StdoutSink.read,
        ])
}
