/// The settings that every kind of sink has.
package struct SinkSettings: Sendable {
    /// Whether the sink acts on replayed events. By default it does not, since it has acted on them before.
    var actsOnReplays = false
    /// Whether each event has a record: that the sink has done its work for it, or has dropped it.
    var recordsAll = false

    /// - Parameter recordsAll: the default; `nil` if the sink's output are records.
    static func read(_ fields: inout FieldReader, recordsAll: Bool?) -> SinkSettings {
        var settings = SinkSettings()
        settings.actsOnReplays =
            fields.optional(
                "onReplay", .choice([("ignore", false), ("act", true)]),
                "Whether the sink acts on replayed events; default: ignore") ?? settings.actsOnReplays
        if let recordsAll {
            settings.recordsAll =
                fields.optional(
                    "records", .choice([("all", true), ("failures", false)]),
                    "Whether each event has a record, or failures only; default: \(recordsAll ? "all" : "failures")")
                ?? recordsAll
        }
        return settings
    }
}
