import RxEngine

/// A kind of source, as one entry under `sources:` configures it.
package protocol SourceKind: Sendable {
    /// The values that it tells, one an event. Each subscription is a run of its own; a failure ends it.
    func events(on scheduler: any SchedulerType) -> Observable<JSON>

    /// What it watches, in a few words for a record: "every 10s".
    var summary: String { get }
}
