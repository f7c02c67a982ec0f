import RxDiagnostics
import RxEngine
import RxJSON

extension Plan {
    /// The same plan, whose sources show none of these credentials: neither in their summaries nor in what they emit.
    func hiding(_ secrets: Secrets) -> Plan {
        guard !secrets.isEmpty else { return self }
        var plan = self
        plan.secrets = secrets
        plan.sources = sources.map { source in
            Source(
                name: source.name, kindName: source.kindName, kind: source.kind.hiding(secrets),
                content: source.content)
        }
        return plan
    }
}

extension SourceKind {
    /// The same source, which shows none of these credentials.
    func hiding(_ secrets: Secrets) -> any SourceKind {
        secrets.isEmpty ? self : SecretiveSource(source: self, secrets: secrets)
    }
}

/// A source that may know credentials, and emits none: a server, for example, may send back what it was sent.
private struct SecretiveSource: SourceKind {
    let source: any SourceKind
    let secrets: Secrets

    func events(in context: SourceContext) -> Observable<JSON> {
        source.events(in: context).map { secrets.redacted($0) }.catch { .error(redacted($0)) }
    }

    func values(in context: SourceContext) -> Observable<SourceValue> {
        source.values(in: context)
            .map { SourceValue(secrets.redacted($0.value), position: $0.position, name: $0.name) }
            .catch { .error(redacted($0)) }
    }

    private func redacted(_ error: any Error) -> any Error {
        let text = "\(error)"
        let shown = secrets.redacted(text)
        return shown == text ? error : RedactedError(description: shown)
    }

    var summary: String { secrets.redacted(source.summary) }

    var period: Duration? { source.period }

    var armsLater: Bool { source.armsLater }

    var isStoppedByHost: Bool { source.isStoppedByHost }

    var isEndless: Bool { source.isEndless }

    var isKeptByHost: Bool { source.isKeptByHost }

    func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration? {
        try source.prepareToStore(on: host, isUrgent: isUrgent)
    }

    func stored(_ position: JSON, on host: Host) { source.stored(position, on: host) }

    var settings: SourceSettings { source.settings }

    var backpressure: BackpressurePolicy { source.backpressure }
}

/// An error in whose words a credential stood.
package struct RedactedError: Error, CustomStringConvertible {
    package let description: String
}

extension Record {
    /// The same record without any of the credentials.
    package func hiding(_ secrets: Secrets) -> Record {
        secrets.isEmpty ? self : Record(self, without: secrets)
    }

    private init(_ record: Record, without secrets: Secrets) {
        kind = record.kind
        priority = record.priority
        message = secrets.redacted(record.message)
        generation = record.generation
        fields = record.fields.map { ($0.field, secrets.redacted($0.value)) }
        ownFields = record.ownFields.map { ($0.name, secrets.redacted($0.value)) }
    }
}
