import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// Several threads subscribe at once to a shared sequence and stay until its end or leave early. They must receive
    /// the elements of a run in order and once, and nothing after the end; the source never runs twice at once; and
    /// what is shared forever over a synchronous source runs once in all.
    static let sharing = StressTest("share") { random, report in
        let plan = SharingPlan(&random)
        report.describe(plan.text)
        for round in 0..<plan.rounds { SharingRound(plan, report, round, random.next()).run() }
    }
}

private struct SharingPlan: Sendable {
    enum Way: String, CaseIterable, Sendable {
        case share, shareReplay, shareGrace, shareForever, publishRefCount, replayRefCount, multicastSubject
        case multicastReplaySubject
        case multicastMakeSubject
    }

    let way: Way
    let threads: Int
    let rounds: Int
    let elements: Int
    let replay: Int
    let isSynchronous: Bool
    /// How many elements each thread takes before it leaves.
    let leaves: [Int?]
    let pause: Int

    init(_ random: inout SplitMix64) {
        way = random.pick(Way.allCases)
        threads = random.within(2...5)
        rounds = 60
        elements = random.within(1...5)
        replay = random.within(0...6)
        isSynchronous = random.chance(65)
        let hasLeavers = random.chance(40)
        let elements = elements
        leaves = (0..<threads).map { _ in hasLeavers && random.chance(60) ? random.within(0...elements) : nil }
        pause = random.chance(50) ? 0 : random.below(4000)
    }

    /// One subject for all runs.
    var isForever: Bool { [.shareForever, .multicastSubject, .multicastReplaySubject].contains(way) }

    var text: String {
        let source = isSynchronous ? "a synchronous source" : "a source on a queue"
        let leaving = leaves.map { $0.map { "after \($0)" } ?? "stays" }.joined(separator: ", ")
        return "\(way.rawValue), replay \(replay), \(source) of \(elements), \(threads) threads: \(leaving)"
    }

    func share(_ source: Observable<Tagged>) -> Observable<Tagged> {
        switch way {
        case .share: source.share()
        case .shareReplay: source.share(replay: max(1, replay))
        case .shareGrace:
            source.share(
                replay: replay,
                scope: .whileConnected(grace: .microseconds(20), scheduler: Schedulers.concurrent.scheduler))
        case .shareForever: source.share(replay: replay, scope: .forever)
        case .publishRefCount: source.publish().refCount()
        case .replayRefCount: source.replay(replay).refCount()
        case .multicastSubject: source.multicast(PublishSubject<Tagged>()).refCount()
        case .multicastReplaySubject: source.multicast(ReplaySubject<Tagged>.create(bufferSize: replay)).refCount()
        case .multicastMakeSubject: source.multicast { PublishSubject<Tagged>() }.refCount()
        }
    }
}

private final class SharingRound: Sendable {
    private let plan: SharingPlan
    private let report: StressTest.Report
    private let round: Int
    private let seed: UInt64
    private let runs = Atomic(0)
    private let active = Atomic(0)
    private let workers = Atomic(0)

    init(_ plan: SharingPlan, _ report: StressTest.Report, _ round: Int, _ seed: UInt64) {
        self.plan = plan
        self.report = report
        self.round = round
        self.seed = seed
    }

    func run() {
        var guarantees = Guarantees()
        guarantees.isComplete = false
        // The replay buffer of a run that ends in the middle remains for the next run.
        let shared = plan.share(source())
        let observers = (0..<plan.threads).map { thread in
            CheckedObserver("thread \(thread) in round \(round)", guarantees) { self.report.violation($0) }
        }
        let slots = observers.map { _ in SingleAssignmentDisposable() }
        inParallel(plan.threads) { thread in
            var random = SplitMix64(seed: self.seed &+ UInt64(thread))
            spin(random.below(3000))
            let leave = self.plan.leaves[thread]
            let subscription = observers[thread].subscribe(to: shared) { count in
                if let leave, count >= leave { slots[thread].dispose() }
            }
            slots[thread].setDisposable(subscription)
            if leave == 0 { slots[thread].dispose() }
        }
        let isOver = waitUntil {
            zip(observers, slots).allSatisfy { $0.ending != .none || $1.isDisposed }
                && self.workers.load(ordering: .acquiring) == 0
        }
        report.require(isOver, "round \(round): not every subscriber received the end")
        for slot in slots { slot.dispose() }
        for observer in observers {
            report.require(waitUntil { observer.disposals == 1 }, "onDisposed did not run once: \(observer.text)")
        }
        let count = runs.load(ordering: .relaxed)
        if plan.isForever, plan.isSynchronous, plan.leaves.allSatisfy({ $0 == nil }) {
            report.require(count == 1, "round \(round): the source ran \(count) times")
        }
    }

    private func source() -> Observable<Tagged> {
        .create { observer in
            let run = self.runs.add(1, ordering: .relaxed).oldValue
            // A subscriber that unsubscribes in the middle closes a run before its source is disposed.
            let counts = self.plan.leaves.allSatisfy { $0 == nil }
            if self.active.add(1, ordering: .relaxed).oldValue > 0, counts {
                self.report.violation("round \(self.round): the source runs twice at once")
            }
            let isDisposed = Flag()
            let emit: @Sendable () -> Void = {
                for number in 0..<self.plan.elements where !isDisposed.isSet {
                    observer.onNext(Tagged(producer: 0, run: UInt64(run), number: number, of: self.plan.elements))
                    if self.plan.pause > 0 { spin(self.plan.pause) }
                }
                self.active.subtract(1, ordering: .relaxed)
                observer.onCompleted()
            }
            if self.plan.isSynchronous {
                emit()
            } else {
                self.workers.add(1, ordering: .relaxed)
                _ = Schedulers.concurrent.scheduler.schedule(()) {
                    emit()
                    self.workers.subtract(1, ordering: .releasing)
                    return Disposables.create()
                }
            }
            return Disposables.create { isDisposed.set() }
        }
    }
}
