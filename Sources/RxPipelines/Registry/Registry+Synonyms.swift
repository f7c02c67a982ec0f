extension Registry {
    /// The names of other programs for sources.
    static let sourceSynonyms = [
        "cron": "interval: { every: 1h, align: local }", "calendar": "interval: { every: 1d, align: local }",
        "timer": "interval", "schedule": "interval", "every": "interval", "tick": "interval", "clock": "interval",
        "file": "files", "path": "files", "watch": "files", "inotify": "files", "directory": "files",
        "exec": "command", "shell": "command", "script": "command", "run": "command",
        "service": "unit", "systemd": "unit", "url": "http", "https": "http", "poll": "http",
        "log": "journal", "logs": "journal", "journald": "journal", "syslog": "journal",
    ]

    /// The names of other libraries for steps.
    static let stepSynonyms = [
        "dedupe": "distinctUntilChanged", "dedup": "distinctUntilChanged", "deduplicate": "distinctUntilChanged",
        "distinct": "distinctUntilChanged", "unique": "distinctUntilChanged", "uniq": "distinctUntilChanged",
        "where": "filter", "select": "filter", "if": "filter", "grep": "filter", "jq": "map", "transform": "map",
        "fold": "reduce", "aggregate": "reduce", "accumulate": "scan", "sum": "reduce", "count": "reduce",
        "mergemap": "flatMap", "switchmap": "flatMapLatest", "exhaustmap": "flatMapFirst",
        "tap": "debug", "do": "debug", "print": "debug", "log": "debug",
        "batch": "buffer", "chunk": "buffer", "head": "take", "limit": "take", "tail": "takeLast", "drop": "skip",
        "collect": "toArray", "group": "groupBy", "partition": "groupBy", "ratelimit": "throttle", "sleep": "delay",
        "prepend": "startWith", "defaultifempty": "ifEmpty", "onerror": "catch", "catcherror": "catch",
    ]

    /// The names of other programs for sinks.
    static let sinkSynonyms = [
        "exec": "command", "shell": "command", "script": "command", "run": "command",
        "mail": mail, "email": mail, "smtp": mail, "url": "http", "https": "http", "webhook": "http", "post": "http",
        "log": "journal", "journald": "journal", "syslog": "journal", "print": "stdout", "console": "stdout",
        "service": "unit", "systemd": "unit", "systemctl": "unit", "path": "file",
    ]

    /// A sink that sends the event, which a command gets as its input, as a mail.
    private static let mail = "command: { run: [mail, -s, rxwatchd, root] }"
}
