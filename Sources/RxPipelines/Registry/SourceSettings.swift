/// What every kind of source may be told.
package struct SourceSettings: Sendable {
    /// How many of its events may be unsettled at once.
    var inFlight = 10_000

    static func read(_ fields: inout Fields) -> SourceSettings {
        var settings = SourceSettings()
        // One that an event makes tells as part of that.
        if fields.report.mayBeOnce { return settings }
        settings.inFlight = fields.optional("inFlight", .int(1...1_000_000)) ?? settings.inFlight
        return settings
    }
}

/// What a source does while as many of its events are unsettled as may be.
package enum WhenFull: Sendable {
    /// It waits, in ``SourceSurroundings/waitForRoom``: what it would tell stays where it is.
    case waits
    /// Of the values that have the same key it keeps the latest, joined with the one before; of those that have none, all.
    case keepsLatest(key: @Sendable (JSON) -> String?, join: @Sendable (JSON, JSON) -> JSON)

    /// It keeps the latest value.
    static let latest = WhenFull.keepsLatest(key: { _ in "" }, join: { $1 })
}
