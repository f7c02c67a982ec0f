extension FieldReader {
    /// The names of other programs for keys, in lower case, each with those that may be meant: the first that the mapping
    /// takes is suggested.
    private static let synonyms = [
        "args": ["run"], "argv": ["run"], "attempts": ["times"], "cmd": ["run"], "data": ["body"],
        "debounce": ["settle"],
        "exec": ["run"], "glob": ["include"], "ignore": ["exclude"], "initial": ["seed"], "input": ["from"],
        "insecure": ["verify"], "interval": ["every"], "json": ["body"], "level": ["priority"], "msg": ["message"],
        "output": ["to"], "pattern": ["include"], "period": ["every"], "reducer": ["next"], "retries": ["times"],
        "severity": ["priority"], "shell": ["run"], "sinks": ["to"], "source": ["from"], "sources": ["from"],
        "text": ["message"], "then": ["to"], "timespan": ["span"], "wait": ["settle", "delay"],
    ]

    /// Returns the hint for a key that other programs have; `nil` without one.
    static func hint(forForeign key: String, in names: [String]) -> String? {
        synonyms[key.lowercased()]?.first(where: names.contains).map { "; did you mean '\($0)'?" }
    }
}
