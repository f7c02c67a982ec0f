/// The settings that every kind of sink takes.
package struct SinkSettings: Sendable {
    /// Whether it acts on events that are replayed: by default these were acted on when they came.
    var actsOnReplays = false

    static func read(_ fields: inout Fields) -> SinkSettings {
        var settings = SinkSettings()
        settings.actsOnReplays =
            fields.optional("onReplay", .choice([("ignore", false), ("act", true)])) ?? settings.actsOnReplays
        return settings
    }
}
