import RxEngine
import Synchronization

/// One execution of a program: the shared state of its parts, and the violations.
final class RunContext: Sendable {
    /// The sources that threads push into.
    let hot: [HotSource]
    /// The shared parts of the program, assembled once.
    let shared = Locked<[Observable<Tagged>]>([])
    /// The connectables that start the shared parts that are connected explicitly.
    let connectables = Locked<[ConnectableObservable<Tagged>]>([])
    /// How many elements the producers have emitted.
    let progress = Atomic(0)
    /// The number of running producers.
    let producers = Atomic(0)
    /// The number of running threads and queue blocks of cold sources.
    let workers = Atomic(0)
    /// An object for weak references.
    let owner = Owner()

    private let lastRun = Atomic<UInt64>(0)
    private let probes = Locked<[Probe]>([])
    private let resources = Locked<[CountedResource]>([])
    /// The violations.
    let findings = Findings()

    final class Owner: Sendable {}

    init(_ hot: [HotSource]) {
        self.hot = hot
    }

    /// A number that no other run of a source has.
    func nextRun() -> UInt64 {
        lastRun.add(1, ordering: .relaxed).newValue
    }

    /// Records a violation.
    func report(_ violation: String) {
        findings.report(violation)
    }

    func makeProbe(_ place: String) -> Probe {
        let probe = Probe(place, findings)
        probes.withLock { $0.append(probe) }
        return probe
    }

    func makeResource() -> CountedResource {
        let resource = CountedResource()
        resources.withLock { $0.append(resource) }
        return resource
    }

    /// Whether all objects of the program have been released.
    var isFree: Bool {
        workers.load(ordering: .acquiring) == 0 && resources.value.allSatisfy { $0.disposals > 0 }
            && probes.value.allSatisfy { $0.disposals >= $0.subscriptions }
    }

    /// Checks the properties that must hold at the end.
    func checkEnd() {
        // A resource that a subscription makes during its disposal is released shortly afterwards.
        for resource in resources.value where !waitUntil({ resource.disposals > 0 }) || resource.disposals != 1 {
            report("a resource of using or doFinally was freed \(resource.disposals) times")
        }
        for probe in probes.value where probe.disposals != probe.subscriptions || probe.subscriptions > 1 {
            report(
                "onDispose of do ran \(probe.disposals) times, onSubscribe \(probe.subscriptions) times (\(probe.place))"
            )
        }
    }
}

/// The violations in a run.
final class Findings: Sendable {
    private let found = Locked<[String]>([])

    /// The first of them.
    var all: [String] { found.value }

    func report(_ violation: String) {
        found.withLock { if $0.count < 20 { $0.append(violation) } }
    }
}

/// The resource of a `using` or a `doFinally`.
final class CountedResource: Disposable {
    private let count = Atomic(0)

    var disposals: Int { count.load(ordering: .relaxed) }

    func dispose() {
        count.add(1, ordering: .relaxed)
    }
}
