import Dispatch
import FoundationEssentials
import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

/// Answers `rxwatchctl spool`: lists, shows, retries and drops the events that wait for sinks.
final class SpoolRequestHandler: Sendable {
    private let store: Locked<(any SpoolStore)?>
    private let reporter: ResourceReporter
    private let recorder: Recorder
    private let secrets: HiddenSecrets
    /// A queue of its own: the store may be on a slow disk, and other requests do not wait for it.
    private let queue = DispatchQueue(label: "rx.spool-requests")

    init(_ reporter: ResourceReporter, _ recorder: Recorder, hiding secrets: HiddenSecrets) {
        (store, self.reporter, self.recorder, self.secrets) = (Locked(nil), reporter, recorder, secrets)
    }

    /// Uses this store from now on.
    func use(_ store: (any SpoolStore)?) {
        self.store.withLock { $0 = store }
    }

    /// Calls `reply` with the answer.
    func reply(to request: SpoolRequest, _ reply: @escaping CommandQueue.Reply) {
        queue.async { [self] in
            answer(request) { [self] in reply(secrets.hidden(in: $0)) }
        }
    }

    private func answer(_ request: SpoolRequest, _ reply: @escaping CommandQueue.Reply) {
        guard let graph = reporter.running?.graph else { return reply(.nothingRuns) }
        let store = store.withLock { $0 }
        do {
            switch try resolved(request, graph, store) {
            case .failure(let ambiguous): reply(ambiguous.answer)
            case .success(.list): reply(list(try graph.waitingForSinks(store)))
            case .success(.show(let sink, let limit)):
                guard let events = try graph.waitingEvents(of: sink, limit: limit, store) else {
                    return reply(unknown(sink, graph, store))
                }
                let all = try graph.waiting(for: sink, store).map { $0.queued + $0.spooled } ?? 0
                reply(show(sink, events, of: max(all, events.count)))
            case .success(.retry(let sink)):
                guard let found = try graph.waiting(for: sink, store) else {
                    guard graph.sinkKeys.contains(sink) else { return reply(unknown(sink, graph, store)) }
                    return reply(ControlAnswer("nothing waits for \(sink)"))
                }
                guard found.isRunning, graph.endPauses(of: sink) else {
                    return reply(
                        ControlAnswer(
                            "the configuration has no sink '\(sink)'; its events can only be shown and dropped",
                            exitCode: ExitCode.failure))
                }
                let parts = SinkReference.parts(of: sink)
                recorder.record(
                    .sink, .info, "\(sink): asked to try again at once, with rxwatchctl spool retry",
                    [.pipeline: parts.pipeline, .sink: parts.sink])
                reply(
                    ControlAnswer(
                        "\(sink) tries again at once, unless it is working; rxwatchctl status \(sink) "
                            + "shows what becomes of it"))
            case .success(.drop(let sink, let ids)):
                graph.dropWaiting(for: sink, ids.map { Set($0) }, store) { [self] result in
                    switch result {
                    case nil: reply(unknown(sink, graph, store))
                    case .success(let count):
                        reply(dropped(count, of: ids.map { Set($0).count }, from: sink, graph))
                    case .failure(let error):
                        reply(
                            ControlAnswer("\(sink): not all events were dropped: \(error)", exitCode: ExitCode.failure))
                    }
                }
            }
        } catch {
            reply(ControlAnswer("reading the spool: \(error)", exitCode: ExitCode.failure))
        }
    }

    /// The error of a name that several sinks have.
    private struct AmbiguousSink: Error {
        let answer: ControlAnswer
    }

    /// The request with the key of the sink in place of the short name that `rxwatchctl status` takes, too.
    ///
    /// The store has events of sinks that the configuration no longer has. It is not read for the key of one that runs.
    private func resolved(
        _ request: SpoolRequest, _ graph: Graph, _ store: (any SpoolStore)?
    ) throws -> Result<SpoolRequest, AmbiguousSink> {
        guard let name = request.sink, !graph.sinkKeys.contains(name) else { return .success(request) }
        let reference = SinkReference(name: name)
        switch reference.meaning(among: graph.sinkKeys.union(try store?.sinks() ?? []).sorted()) {
        case .sink(let key): return .success(request.with(sink: key))
        case .several(let keys): return .failure(AmbiguousSink(answer: reference.ambiguity(keys)))
        case .unknown: return .success(request)
        }
    }

    private func list(_ sinks: [SinkQueueSummary]) -> ControlAnswer {
        let now = Date().timeIntervalSince1970
        let lines = sinks.map { sink in
            let age = sink.oldest.map { Int(min(max(now - $0, 0), 1e9)) } ?? 0
            let size = sink.bytes < 1024 ? "\(sink.bytes) B" : memoryText(sink.bytes)
            let stored = sink.spooled == 0 ? [] : ["\(sink.spooled) on disk (\(size))"]
            let counts = stored + (sink.queued == 0 ? [] : ["\(sink.queued) in memory"])
            return "\(sink.sink): \(counts.joined(separator: ", "))"
                + (age == 0 ? "" : ", the oldest \(SystemdDuration.format(.seconds(age))) old")
                + (sink.isRunning ? "" : "; the configuration has no such sink")
        }
        return ControlAnswer(
            lines.isEmpty ? "nothing waits for a sink" : lines.joined(separator: "\n"),
            details: [
                "sinks": .array(
                    sinks.map { sink in
                        var json: JSON = ["sink": .string(sink.sink), "running": .bool(sink.isRunning)]
                        json["queued"] = .number(Double(sink.queued))
                        json["spooled"] = .number(Double(sink.spooled))
                        json["bytes"] = .number(Double(sink.bytes))
                        if let oldest = sink.oldest { json["oldest"] = .number(oldest) }
                        return json
                    })
            ])
    }

    private func show(_ sink: String, _ events: [WaitingEventSummary], of all: Int) -> ControlAnswer {
        let now = Date().timeIntervalSince1970
        let isAnyStored = events.contains(where: \.isStored)
        let ages = events.map { event in
            "\(SystemdDuration.format(.seconds(Int(min(max(now - event.time, 0), 1e9))))) ago"
        }
        let (widest, oldest) = (events.map(\.id.count).max() ?? 0, ages.map(\.count).max() ?? 0)
        var lines = zip(events, ages).map { event, age in
            let place = isAnyStored && !event.isStored ? "in memory  " : ""
            let failure = event.failure.map { "  failed, \($0["message"]?.string ?? "\($0)")" } ?? ""
            return "\(event.id.padded(to: widest))  \(age.padded(to: oldest))  "
                + "\(place)\(secrets.beginning(of: event.value))\(failure)"
        }
        if all > events.count {
            let limit = min(all, SpoolRequest.maximumShown)
            lines.append(
                "and \(all - events.count) more"
                    + (limit > events.count
                        ? "; --limit \(limit) shows \(limit < all ? "the first \(limit)" : "all")" : ""))
        }
        return ControlAnswer(
            lines.isEmpty ? "nothing waits for \(sink)" : lines.joined(separator: "\n"),
            details: [
                "events": .array(
                    events.map { event in
                        var json: JSON = [
                            "id": .string(event.id), "time": .number(event.time), "value": event.value,
                            "stored": .bool(event.isStored),
                        ]
                        if let failure = event.failure { json["failure"] = failure }
                        return json
                    })
            ])
    }

    private func dropped(_ count: Int, of wanted: Int?, from sink: String, _ graph: Graph) -> ControlAnswer {
        let isRunning = graph.sinkKeys.contains(sink)
        if count > 0, !isRunning {
            recorder.record(
                .sink, .notice,
                "\(sink): dropped \(counted(count, "spooled event")), on request",
                [.dropped: String(count)])
        }
        let missing = wanted.map { $0 - count } ?? 0
        let rest = wanted == nil ? try? graph.waiting(for: sink, store.withLock(\.self)) : nil
        let left = rest.map { $0.queued + $0.spooled } ?? 0
        let note =
            missing > 0
            ? "; \(missing) did not wait, or \(missing == 1 ? "is" : "are") being worked on (spool show prints the ids)"
            : left == 0
                ? ""
                : "; \(counted(left, "event")) \(left == 1 ? "is" : "are") "
                    + (left == rest?.queuedInReplaced
                        ? "in the sink that a reload has replaced, for up to the time of daemon.drain"
                        : "being worked on, or new")
        return ControlAnswer(
            "dropped \(counted(count, "event")) that waited for \(sink)\(note)",
            exitCode: missing > 0 ? ExitCode.failure : ExitCode.success, details: ["dropped": .number(Double(count))])
    }

    private func unknown(_ sink: String, _ graph: Graph, _ store: (any SpoolStore)?) -> ControlAnswer {
        let known = graph.sinkKeys.union((try? store?.sinks()) ?? [])
        let hint = NearestName.hint(for: sink, in: known.sorted())
        return ControlAnswer(
            "there is no sink '\(sink.shortened)'"
                + (hint.isEmpty ? "; write the names of the pipeline and the sink, such as api/http" : hint),
            exitCode: ExitCode.failure)
    }
}
