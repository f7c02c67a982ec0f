import RxDiagnostics
import RxPipelines

/// Writes the daemon's own records, with the number of the running generation.
struct Recorder: Sendable {
    let outbox: RecordOutbox
    let generation: GenerationNumber

    func record(
        _ kind: RecordKind, _ priority: Priority, _ message: String,
        _ fields: KeyValuePairs<RecordField, String?> = [:]
    ) {
        outbox.write(Record(kind, priority, generation: generation.value, message, fields))
    }

    /// Records each error of a configuration.
    func record(_ kind: RecordKind, _ errors: Diagnostics) {
        for record in Record.problems(kind, errors, generation: generation.value) { outbox.write(record) }
    }

    /// Records an error that no subscriber handles.
    func record(unhandled error: any Error, _ callStack: [String]) {
        let error = error as? PipelineError ?? PipelineError(unhandled: error)
        outbox.write(error.record(generation: generation.value, callStack: callStack))
    }

    /// Performs an action that the daemon can do without, and records its failure.
    ///
    /// - Parameter what: the action in words, such as "saving the snapshot of watched files".
    func attempt(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            record(
                .error, .warning, "\(what) failed: \(error)", [.error: "\(error)", .errorType: "\(type(of: error))"])
        }
    }
}
