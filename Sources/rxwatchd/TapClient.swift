import FoundationEssentials
import RxEngine
import RxJSON
import RxPipelines
import Synchronization

/// A client that gets what nodes do.
final class TapClient: Sendable {
    private let send: @Sendable (JSON) -> Bool
    private let lifecycle: Bool
    private let secrets: HiddenSecrets
    /// The number of lines that were dropped since the last one that was not.
    private let dropped = Atomic(0)

    /// - Parameters:
    ///   - lifecycle: whether it also gets what is no event: failures, states, settlements, drops and subscriptions.
    ///   - secrets: the credentials that it must not get.
    ///   - send: sends a line; returns `false` if it was dropped since the client does not read.
    init(lifecycle: Bool, hiding secrets: HiddenSecrets, send: @escaping @Sendable (JSON) -> Bool) {
        (self.send, self.lifecycle, self.secrets) = (send, lifecycle, secrets)
    }

    func receive(_ node: String, _ notification: TapRegistry.Notification) {
        guard var line = Self.line(node, notification, lifecycle: lifecycle, hiding: secrets) else { return }
        let missing = dropped.exchange(0, ordering: .relaxed)
        if missing > 0 { line["dropped"] = .number(Double(missing)) }
        if !send(line) { dropped.add(missing + 1, ordering: .relaxed) }
    }
    /// The line that says what a node does; `nil` for what is only sent with `lifecycle`.
    static func line(
        _ node: String, _ notification: TapRegistry.Notification, lifecycle: Bool, hiding secrets: HiddenSecrets
    ) -> JSON? {
        guard lifecycle || notification.isEvent else { return nil }
        var line: JSON = ["node": .string(node), "time": .number(RxTime().timeIntervalSince1970)]
        switch notification {
        case .emitted(let event):
            line["value"] = secrets.hidden(in: event.value)
            line["cause"] = .string(event.cause)
            line["id"] = .string(event.id)
            if event.isReplayed { line["replayed"] = true }
        case .failed(let failure):
            line["failed"] = .string(secrets.hidden(in: failure.message))
            if let sink = failure.sink { line["sink"] = .string(sink) }
            if failure.isRetried { line["retried"] = true }
            if let event = failure.event {
                (line["cause"], line["id"]) = (.string(event.cause), .string(event.id))
            }
        case .phase(let phase):
            line["state"] = .string(phase.rawValue)
        case .settled(let event):
            line["settled"] = .string(event.cause)
            line["id"] = .string(event.id)
        case .dropped(let event, let id, let sink, let reason):
            (line["dropReason"], line["sink"]) = (.string(reason), .string(sink))
            (line["cause"], line["id"]) = (.string(event.cause), .string(id))
        case .subscription(let pipeline, let change):
            line["subscriber"] = .string(pipeline)
            switch change {
            case .subscribed: line["state"] = "subscribed"
            case .unsubscribed: line["state"] = "unsubscribed"
            case .replayed(let event):
                line["replayed"] = true
                (line["cause"], line["id"]) = (.string(event.cause), .string(event.id))
            }
        }
        return line
    }
}

extension TapRegistry.Notification {
    fileprivate var isEvent: Bool { if case .emitted = self { true } else { false } }
}
