/// How a pipeline continues after a failure: `onError:`.
package enum ErrorPolicy: String, Sendable, CaseIterable {
    /// The pipeline restarts.
    case restart
    /// The pipeline stops until a reload changes it.
    case stop
    /// The daemon exits.
    case exit
}
