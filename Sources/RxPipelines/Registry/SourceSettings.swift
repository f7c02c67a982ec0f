import RxJSON

/// The settings that every kind of source takes.
package struct SourceSettings: Sendable {
    /// The largest number of unsettled events.
    var inFlight = 10_000

    static func read(_ fields: inout Fields) -> SourceSettings {
        var settings = SourceSettings()
        // The events of an inner source share the delivery of the outer event.
        if fields.context.isInnerSource { return settings }
        settings.inFlight = fields.optional("inFlight", .int(1...1_000_000)) ?? settings.inFlight
        return settings
    }
}

/// What a source does while `inFlight` is reached.
package enum BackpressurePolicy: Sendable {
    /// It blocks its own thread, see ``SourceSurroundings/makePermits``.
    case blocks
    /// It keeps the latest value of each key, merged with the one before, and every value without a key.
    case conflates(key: @Sendable (JSON) -> String?, join: @Sendable (JSON, JSON) -> JSON)

    /// It keeps the latest value only.
    static let latest = BackpressurePolicy.conflates(key: { _ in "" }, join: { $1 })
}
