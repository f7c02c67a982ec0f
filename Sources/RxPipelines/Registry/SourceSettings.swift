import RxJSON
import RxYAML

/// The settings that every kind of source takes. They can change while the source runs.
package struct SourceSettings: Sendable {
    private static let inFlightKey = "inFlight"

    /// The largest number of unsettled events.
    var inFlight = 10_000

    static func read(_ fields: inout Fields) -> SourceSettings {
        var settings = SourceSettings()
        // The events of an inner source share the delivery of the outer event.
        if fields.context.isInnerSource { return settings }
        settings.inFlight = fields.optional(inFlightKey, .int(1...1_000_000)) ?? settings.inFlight
        return settings
    }

    /// What makes the source on `node` another one when it changes: everything but its settings.
    static func identity(of node: YAMLNode) -> String {
        guard var pair = node.mapping?.first else { return node.content }
        pair.value = pair.value.without(inFlightKey)
        return YAMLNode(.mapping([pair]), at: node.location).content
    }
}

/// What a source does while `inFlight` is reached.
package enum BackpressurePolicy: Sendable {
    /// It blocks its own thread, see ``SourceContext/makePermits``.
    case blocks
    /// It keeps the latest value of each key, merged with the one before, and every value without a key.
    case conflates(key: @Sendable (JSON) -> String?, join: @Sendable (JSON, JSON) -> JSON)

    /// It keeps the latest value only.
    static let latest = BackpressurePolicy.conflates(key: { _ in "" }, join: { $1 })
}
