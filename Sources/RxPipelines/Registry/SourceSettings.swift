import RxJSON
import RxYAML

/// The settings that every kind of source takes. They can change while the source runs.
package struct SourceSettings: Sendable {
    private static let inFlightKey = "inFlight"

    /// The largest number of unsettled events.
    var inFlight = 10_000

    static func read(_ fields: inout FieldReader) -> SourceSettings {
        var settings = SourceSettings()
        // The events of an inner source share the delivery of the outer event.
        if fields.context.isInnerSource { return settings }
        settings.inFlight =
            fields.optional(
                inFlightKey, .int(1...1_000_000),
                "The largest number of unsettled events of this source; default: 10000")
            ?? settings.inFlight
        return settings
    }

    /// The text of a source without its settings. A reload keeps the source if that is unchanged.
    static func identity(of node: YAMLNode) -> String {
        guard var pair = node.mapping?.first else { return node.content }
        pair.value = pair.value.without(inFlightKey)
        return YAMLNode(.mapping([pair]), at: node.location).content
    }
}

/// The behavior of a source while `inFlight` is reached.
package enum BackpressurePolicy: Sendable {
    /// Blocks its own thread, see ``SourceContext/makePermits``.
    case blocks
    /// Keeps the latest value of each key, merged with the one before, and every value without a key.
    case conflates(key: @Sendable (JSON) -> String?, join: @Sendable (JSON, JSON) -> JSON)

    /// Keeps only the latest value.
    static let latest = BackpressurePolicy.conflates(key: { _ in "" }, join: { $1 })
}
