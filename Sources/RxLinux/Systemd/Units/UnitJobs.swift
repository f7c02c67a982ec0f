import RxEngine

/// The requests to the service manager that are not finished.
struct UnitJobs {
    /// A job that a unit sink requests of the manager.
    struct Request {
        let action: UnitAction
        let unit: String
        let mode: String
        let observer: AnyObserver<UnitJobResult>
    }

    /// How far the manager has got with a requested job.
    private enum Step {
        case unsent
        case sent
        /// The manager has accepted it as the job at this path.
        case accepted(String)
    }

    typealias FinishedJob = (observer: AnyObserver<UnitJobResult>, result: UnitJobResult)

    private var requests: [Int: (request: Request, step: Step)] = [:]
    /// The results of jobs that finished before the answer with their path arrived.
    private var earlyResults: [String: UnitJobResult] = [:]

    var isEmpty: Bool { requests.isEmpty }

    var hasUnsent: Bool {
        requests.values.contains { if case .unsent = $0.step { true } else { false } }
    }

    mutating func add(_ key: Int, _ request: Request) {
        requests[key] = (request, .unsent)
    }

    @discardableResult
    mutating func remove(_ key: Int) -> AnyObserver<UnitJobResult>? {
        defer { dropEarlyResults() }
        return requests.removeValue(forKey: key)?.request.observer
    }

    mutating func removeAll() -> [AnyObserver<UnitJobResult>] {
        defer {
            requests = [:]
            earlyResults = [:]
        }
        return requests.values.map(\.request.observer)
    }

    /// Returns the requests to send now, in the order they were made.
    mutating func takeUnsent() -> [(key: Int, request: Request)] {
        let unsent = requests.filter { if case .unsent = $0.value.step { true } else { false } }
        for key in unsent.keys { requests[key]?.step = .sent }
        return unsent.map { ($0.key, $0.value.request) }.sorted { $0.0 < $1.0 }
    }

    /// Records that the manager has accepted a request as the job at `path`.
    mutating func accept(_ key: Int, _ path: String) -> [FinishedJob] {
        defer { dropEarlyResults() }
        guard let request = requests[key]?.request else { return [] }
        guard let result = earlyResults[path] else {
            requests[key]?.step = .accepted(path)
            return []
        }
        requests[key] = nil
        return [(request.observer, result)]
    }

    /// Records that a job has finished.
    mutating func finish(_ path: String, _ result: UnitJobResult) -> [FinishedJob] {
        let ours = requests.filter { if case .accepted(path) = $0.value.step { true } else { false } }
        for key in ours.keys { requests[key] = nil }
        if ours.isEmpty, isAwaitingAnswers { earlyResults[path] = result }
        return ours.sorted { $0.key < $1.key }.map { ($0.value.request.observer, result) }
    }

    private var isAwaitingAnswers: Bool {
        requests.values.contains { if case .sent = $0.step { true } else { false } }
    }

    private mutating func dropEarlyResults() {
        if !isAwaitingAnswers { earlyResults = [:] }
    }
}
