extension Registry {
    /// The descriptions of the sources, for the schema.
    static let sourceMeanings = [
        "command": "Runs a command periodically and emits its exit status and output",
        "files": "Emits changes of files and directories",
        "http": "Requests a URL periodically and emits the response",
        "interval": "Emits a tick periodically",
        "journal": "Emits new entries of the journal",
        "unit": "Emits the state of a systemd unit, at first and when it changes",
    ]

    /// The descriptions of the sinks, for the schema.
    static let sinkMeanings = [
        "command": "Runs a command for each event",
        "file": "Appends a line to a file for each event",
        "http": "Sends an HTTP request for each event",
        "journal": "Writes a record to the journal for each event",
        "stdout": "Prints each event as a line of JSON",
        "unit": "Starts, stops, restarts or reloads a systemd unit for each event",
    ]

    /// The descriptions of the steps, for the schema.
    static let stepMeanings = [
        "buffer": "Collects events in lists, and emits each list when it is full or old enough",
        "catch": "Replaces a failure of the steps before it by a value, and completes",
        "checkpoint": "Adds a name to the records of failures that pass it",
        "compactMap": "Replaces each event by the value of an expression, and drops null",
        "concatMap": "Starts a source for each event, one after the other, and emits its events",
        "debounce": "Emits an event when no other has followed for this time",
        "debug": "Records each event with priority debug, under this name",
        "delay": "Emits each event this much later",
        "delaySubscription": "Subscribes to the steps before it this much later",
        "dematerialize": "Turns notifications made by materialize back into events",
        "distinctUntilChanged": "Drops an event with the same value, or value of this expression, as the one before",
        "elementAt": "Emits the event with this index, counted from 0, and completes",
        "enumerated": "Adds the index of each event, counted from 0",
        "filter": "Drops events for which the expression is false or null",
        "first": "Emits the first event, and completes",
        "flatMap": "Starts a source for each event, and emits its events",
        "flatMapFirst": "Starts a source for an event unless one is running, and emits its events",
        "flatMapLatest": "Starts a source for each event, stops the one before, and emits its events",
        "groupBy": "Passes the events of each key through steps of their own",
        "ifEmpty": "Emits this value if the source completes without an event",
        "ignoreElements": "Drops all events",
        "map": "Replaces each event by the value of an expression",
        "materialize": "Turns events, failure and completion into events",
        "pairwise": "Emits each event together with the one before",
        "reduce": "Combines all events into one value, emitted on completion",
        "retry": "Restarts the steps before it after a failure",
        "sample": "Emits the latest event whenever this node emits one",
        "scan": "Combines each event with the result for the one before, and emits each result",
        "single": "Emits the only event, or the only one that matches; fails if there are more or none",
        "skip": "Drops the first events",
        "skipUntil": "Drops events until this node emits one",
        "skipWhile": "Drops events until the expression is false or null for one",
        "startWith": "Emits this value before all events",
        "tag": "Counts the live objects of the steps before it under this name",
        "take": "Emits the first events, and completes",
        "takeLast": "Emits the last events on completion",
        "takeUntil": "Emits events until this node emits one, and completes",
        "takeWhile": "Emits events until the expression is false or null for one, and completes",
        "throttle": "Emits at most one event in this time",
        "timeout": "Fails if no event comes for this time",
        "timestamp": "Replaces each event by {value, time}",
        "toArray": "Emits one list of all events on completion",
        "window": "Passes each window of events through steps of its own",
        "withLatestFrom": "Adds the latest event of this node to each event",
    ]
}
