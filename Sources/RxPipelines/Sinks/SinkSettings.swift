/// The settings that every kind of sink has.
package struct SinkSettings: Sendable {
    /// Whether the sink acts on replayed events. By default it does not, since it has acted on them before.
    var actsOnReplays = false

    static func read(_ fields: inout FieldReader) -> SinkSettings {
        var settings = SinkSettings()
        settings.actsOnReplays =
            fields.optional(
                "onReplay", .choice([("ignore", false), ("act", true)]),
                "Whether the sink acts on replayed events; default: ignore") ?? settings.actsOnReplays
        return settings
    }
}
