/// Every kind of source, step and sink by its name in the config: a new one is a file of its own and a line here.
package enum Registry {
    package static let sources = KindTable<any SourceKind>(
        "source",
        [
            "interval": IntervalSource.read
        ])

    package static let steps = KindTable<any StepKind>(
        "step",
        [
            "filter": FilterStep.read,
            "map": MapStep.read,
        ])

    package static let sinks = KindTable<any SinkKind>(
        "sink",
        [
            "journal": JournalSink.read,
            "stdout": StdoutSink.read,
        ])
}
