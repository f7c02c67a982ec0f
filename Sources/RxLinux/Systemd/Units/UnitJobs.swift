import RxEngine

/// What the service manager was asked to do, and has not done yet.
struct UnitJobs {
    struct Request {
        let action: UnitAction
        let unit: String
        let mode: String
        let observer: AnyObserver<UnitJobResult>
    }

    private enum Step {
        case unsent
        case sent
        /// The job is known by its path.
        case accepted(String)
    }

    typealias Finished = (observer: AnyObserver<UnitJobResult>, result: UnitJobResult)

    private var requests: [Int: (request: Request, step: Step)] = [:]
    /// Jobs that were over before we were told that they are ours.
    private var early: [String: UnitJobResult] = [:]

    var isEmpty: Bool { requests.isEmpty }

    var hasUnsent: Bool {
        requests.values.contains { if case .unsent = $0.step { true } else { false } }
    }

    mutating func add(_ key: Int, _ request: Request) {
        requests[key] = (request, .unsent)
    }

    @discardableResult
    mutating func remove(_ key: Int) -> AnyObserver<UnitJobResult>? {
        defer { forgetEarly() }
        return requests.removeValue(forKey: key)?.request.observer
    }

    mutating func removeAll() -> [AnyObserver<UnitJobResult>] {
        defer {
            requests = [:]
            early = [:]
        }
        return requests.values.map(\.request.observer)
    }

    /// What is to be sent now, in the order it was asked for.
    mutating func takeUnsent() -> [(key: Int, request: Request)] {
        let unsent = requests.filter { if case .unsent = $0.value.step { true } else { false } }
        for key in unsent.keys { requests[key]?.step = .sent }
        return unsent.map { ($0.key, $0.value.request) }.sorted { $0.0 < $1.0 }
    }

    /// The manager has taken a request on as the job at `path`.
    mutating func accept(_ key: Int, _ path: String) -> [Finished] {
        defer { forgetEarly() }
        guard let request = requests[key]?.request else { return [] }
        guard let result = early[path] else {
            requests[key]?.step = .accepted(path)
            return []
        }
        requests[key] = nil
        return [(request.observer, result)]
    }

    /// A job is over.
    mutating func finish(_ path: String, _ result: UnitJobResult) -> [Finished] {
        let ours = requests.filter { if case .accepted(path) = $0.value.step { true } else { false } }
        for key in ours.keys { requests[key] = nil }
        if ours.isEmpty, waitsForAnswers { early[path] = result }
        return ours.sorted { $0.key < $1.key }.map { ($0.value.request.observer, result) }
    }

    private var waitsForAnswers: Bool {
        requests.values.contains { if case .sent = $0.step { true } else { false } }
    }

    private mutating func forgetEarly() {
        if !waitsForAnswers { early = [:] }
    }
}
