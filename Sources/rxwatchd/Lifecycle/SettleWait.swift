import Dispatch
import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxPipelines

/// Answers `rxwatchctl sync`: waits until the sources have emitted what happened before the request, and then until the
/// events that are unsettled at that moment are settled.
final class SettleWait: Sendable {
    /// How often the unsettled events are compared.
    private static let interval = DispatchTimeInterval.milliseconds(10)

    /// How far a request has got.
    private enum Phase {
        /// The sources have not emitted everything yet.
        case emitting
        /// The events that are not settled yet, how many there were at first, and the version at the latest comparison.
        case settling([SourceEvent], of: Int, at: Version?)
        case over
    }

    /// A version of the unsettled events: while it is unchanged, so are the events.
    ///
    /// Each graph counts its own versions, so the graph is part of it.
    private struct Version: Equatable {
        let graph: ObjectIdentifier
        let number: Int
    }

    private let barriers: BarrierStreams
    private let reporter: ResourceReporter
    private let queue = DispatchQueue(label: "rx.sync")

    init(_ barriers: BarrierStreams, _ reporter: ResourceReporter) {
        (self.barriers, self.reporter) = (barriers, reporter)
    }

    /// Calls `reply` when everything is settled, or after `timeout` seconds.
    ///
    /// - Returns: a closure that ends the wait without an answer.
    func begin(timeout: Double, _ reply: @escaping CommandQueue.Reply) -> WaitingRequests.Cancel {
        guard reporter.running != nil else {
            reply(.nothingRuns)
            return {}
        }
        let phase = Locked(Phase.emitting)
        if timeout == 0 {
            let events = reporter.running?.graph.unsettled.map(\.event) ?? []
            phase.withLock { $0 = events.isEmpty ? .over : .settling(events, of: events.count, at: nil) }
            if events.isEmpty { reply(ControlAnswer("nothing was unsettled", details: ["settled": 0])) }
            timeOut(after: timeout, in: phase, reply)
            return {}
        }
        let barrier = SyncBarrier { [self] in
            queue.async { [self] in
                guard case .emitting = phase.withLock(\.self) else { return }
                let events = reporter.running?.graph.unsettled.map(\.event) ?? []
                phase.withLock { $0 = .settling(events, of: events.count, at: nil) }
                check(phase, reply)
            }
        }
        // Weakly: the barrier is passed when nothing holds it.
        queue.asyncAfter(deadline: .now() + timeout) { [self, weak barrier] in
            barrier?.cancel()
            timeOut(after: timeout, in: phase, reply)
        }
        barriers.pass(barrier)
        return { [weak barrier] in
            phase.withLock { $0 = .over }
            barrier?.cancel()
        }
    }

    private func check(_ phase: Locked<Phase>, _ reply: @escaping CommandQueue.Reply) {
        guard case .settling(let events, let count, let version) = phase.withLock(\.self) else { return }
        guard let graph = reporter.running?.graph else {
            phase.withLock { $0 = .over }
            return reply(.nothingRuns)
        }
        let now = Version(graph: ObjectIdentifier(graph), number: graph.unsettledVersion)
        let left = now == version ? events : events.unsettled(among: Set(graph.unsettled.map(\.event.id)))
        guard !left.isEmpty else {
            phase.withLock { $0 = .over }
            return reply(
                ControlAnswer(
                    count == 0 ? "nothing was unsettled" : "settled \(counted(count, "event"))",
                    details: ["settled": .number(Double(count))]))
        }
        phase.withLock { $0 = .settling(left, of: count, at: now) }
        queue.asyncAfter(deadline: .now() + Self.interval) { [self] in check(phase, reply) }
    }

    private func timeOut(after timeout: Double, in phase: Locked<Phase>, _ reply: CommandQueue.Reply) {
        let reached = phase.withLock { phase in
            defer { phase = .over }
            return phase
        }
        let span = SystemdDuration.format(.seconds(timeout))
        switch reached {
        case .over: break
        case .emitting:
            reply(
                ControlAnswer(
                    "the sources have not emitted everything after \(span): files have not settled, or a file system does "
                        + "not answer", exitCode: ExitCode.failure))
        case .settling(let events, _, _):
            let be = events.count == 1 ? "is" : "are"
            let holders = reporter.running?.graph.holders(of: Set(events.map(\.id))) ?? [:]
            let heldBy = holders.mapValues { JSON.array($0.map(JSON.string)) }
            reply(
                ControlAnswer(
                    "\(counted(events.count, "event")) \(be) not settled\(timeout == 0 ? "" : " after \(span)"): "
                        + events.causes(holders),
                    exitCode: ExitCode.failure,
                    details: [
                        "unsettled": .array(events.map { .string($0.id) }),
                        "heldBy": .object(heldBy.reduce(into: JSON.Object()) { $0[$1.key] = $1.value }),
                    ]))
        }
    }
}

extension [SourceEvent] {
    /// The causes and ids of the first three events, and what holds each: "tick:5 (tick:1f:5, held by api/http)".
    fileprivate func causes(_ holders: [String: [String]]) -> String {
        let first = prefix(3).map { event in
            let holders = holders[event.id].map { ", held by \($0.joined(separator: " and "))" } ?? ""
            return "\(event.cause) (\(event.id)\(holders))"
        }
        return first.joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
    }

    /// The events that are still unsettled: those with one of the ids.
    fileprivate func unsettled(among ids: Set<String>) -> [SourceEvent] { filter { ids.contains($0.id) } }
}
