import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux

extension Plan {
    /// This plan with sources that redact these credentials in their summaries and in the values that they emit.
    func hiding(_ secrets: Secrets) -> Plan {
        var plan = self
        plan.secrets = secrets
        if secrets.isEmpty { return plan }
        plan.sources = sources.map { source in
            Source(
                name: source.name, kindName: source.kindName, kind: source.kind.hiding(secrets),
                content: source.content, paths: source.paths)
        }
        return plan
    }
}

extension SourceKind {
    /// This source, with these credentials redacted in its summary and in the values that it emits.
    ///
    /// What requests read is redacted only in what may answer them: a short password may also be a word in a path.
    func hiding(_ secrets: Secrets) -> any SourceKind {
        let secrets = sendsSecrets ? secrets : secrets.withoutRequestSecrets
        return secrets.isEmpty ? self : RedactingSource(source: self, secrets: secrets)
    }
}

/// A source that redacts credentials in its values: a server, for example, may echo the request.
private struct RedactingSource: SourceKind {
    let source: any SourceKind
    let secrets: Secrets

    func events(in context: SourceContext) -> Observable<JSON> {
        source.events(in: adding(to: context)).map { secrets.redacted($0) }.catch { .error(redacted($0)) }
    }

    func values(in context: SourceContext) -> Observable<SourceValue> {
        source.values(in: adding(to: context))
            .map { SourceValue(secrets.redacted($0.value), position: $0.position, name: $0.name, slot: $0.slot) }
            .catch { .error(redacted($0)) }
    }

    private func adding(to context: SourceContext) -> SourceContext {
        var context = context
        context.secrets = secrets
        return context
    }

    private func redacted(_ error: any Error) -> any Error {
        let text = "\(error)"
        let shown = secrets.redacted(text)
        return shown == text ? error : RedactedError(description: shown)
    }

    var detail: String { source.detail }
    var summary: String { secrets.redacted(source.summary) }

    var sendsSecrets: Bool { source.sendsSecrets }

    var notices: [(path: BytePath, message: String)] {
        source.notices.map { ($0.path, secrets.redacted($0.message)) }
    }

    var period: Duration? { source.period }

    var armsLater: Bool { source.armsLater }

    var isStoppedByHost: Bool { source.isStoppedByHost }

    var isEndless: Bool { source.isEndless }

    var isKeptByHost: Bool { source.isKeptByHost }

    func prepareToStore(on host: Host, isUrgent: Bool) throws -> Duration? {
        try source.prepareToStore(on: host, isUrgent: isUrgent)
    }

    func stored(_ position: JSON, on host: Host) { source.stored(position, on: host) }

    func inVirtualTime() -> (any SourceKind)? { source.inVirtualTime() }

    var settings: SourceSettings { source.settings }

    var backpressure: BackpressurePolicy { source.backpressure }

    var hasLargeValues: Bool { source.hasLargeValues }

    var valueType: ValueType { source.valueType }

    func failure(in value: JSON) -> String? { source.failure(in: value) }
}

/// An error whose description contained a credential.
package struct RedactedError: Error, CustomStringConvertible {
    package let description: String
}

extension Record {
    /// This record with the credentials redacted.
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
