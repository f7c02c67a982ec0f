import RxEngine
import Synchronization

// Unchecked: only the chain's callbacks touch `hasEnded`, one at a time, which is what is tested: a lock here would
// order callbacks that the engine does not.
/// Watches the events of one subscription at one place of a chain, through `do`.
final class Probe: @unchecked Sendable {
    let place: String
    private let findings: Findings
    private let inside = Atomic(0)
    private let subscribed = Atomic(0)
    private let disposed = Atomic(0)
    private var hasEnded = false

    init(_ place: String, _ findings: Findings) {
        self.place = place
        self.findings = findings
    }

    /// How often `onSubscribe` ran: a `deferred` that is disposed in its factory subscribes to nothing.
    var subscriptions: Int { subscribed.load(ordering: .relaxed) }

    var disposals: Int { disposed.load(ordering: .relaxed) }

    private func event(_ what: String, isEnd: Bool) {
        guard inside.add(1, ordering: .relaxed).oldValue == 0 else {
            findings.report("two callbacks of do at once: \(what) (\(place))")
            return
        }
        if hasEnded { findings.report("\(what) after the end, seen by do (\(place))") }
        if isEnd { hasEnded = true }
        inside.subtract(1, ordering: .relaxed)
    }

    /// `source`, watched by a new probe for each subscription.
    static func watch(_ source: Observable<Tagged>, _ place: String, _ run: RunContext) -> Observable<Tagged> {
        .deferred {
            let probe = run.makeProbe(place)
            return source.do(
                onNext: { probe.event("\($0)", isEnd: false) }, afterNext: { _ in },
                onError: { _ in probe.event("an error", isEnd: true) }, afterError: { _ in },
                onCompleted: { probe.event("completed", isEnd: true) }, afterCompleted: {},
                onSubscribe: { probe.subscribed.add(1, ordering: .relaxed) }, onSubscribed: {},
                onDispose: { probe.disposed.add(1, ordering: .relaxed) })
        }
    }
}
