/// What becomes of a pipeline that has failed: `onError:`.
package enum ErrorPolicy: String, Sendable, CaseIterable {
    /// It starts afresh.
    case restart
    /// It stays as it is until the next reload.
    case stop
    /// The daemon ends.
    case exit
}
