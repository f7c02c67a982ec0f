import RxEngine
import Synchronization

/// Takes what a workload ends in, so that nothing of it is optimised away.
final class Drain: Sendable {
    private let sum = Atomic(0)

    func take(_ value: Int) {
        sum.store(sum.load(ordering: .relaxed) &+ value, ordering: .relaxed)
    }
}

let drain = Drain()

extension ObservableType where Element == Int {
    /// Three maps and three filters.
    fileprivate func sixSteps() -> Observable<Int> {
        map { $0 &+ 1 }.filter { $0 != -1 }.map { $0 &* 3 }.filter { $0 != -2 }.map { $0 ^ 7 }.filter { $0 != -3 }
    }
}

let workloads = [
    Workload(name: "subject1", bestPeer: 88, rxSwift: 237) { count in
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe(onNext: drain.take)
        for value in 0..<count { subject.onNext(value) }
        subscription.dispose()
    },
    Workload(name: "subject2", bestPeer: 217, rxSwift: 252) { count in
        let subject = PublishSubject<Int>()
        let subscriptions = [subject.subscribe(onNext: drain.take), subject.subscribe(onNext: drain.take)]
        for value in 0..<count { subject.onNext(value) }
        subscriptions.forEach { $0.dispose() }
    },
    Workload(name: "subject-create", bestPeer: 1199, rxSwift: 1336) { count in
        for value in 0..<count {
            let subject = PublishSubject<Int>()
            let subscription = subject.subscribe(onNext: drain.take)
            subject.onNext(value)
            subscription.dispose()
        }
    },
    Workload(name: "mapfilter6", bestPeer: 143, rxSwift: 600) { count in
        let subject = PublishSubject<Int>()
        let subscription = subject.sixSteps().subscribe(onNext: drain.take)
        for value in 0..<count { subject.onNext(value) }
        subscription.dispose()
    },
    Workload(name: "mapfilter6-create", bestPeer: 1559, rxSwift: 4855) { count in
        for value in 0..<count {
            Observable.just(value).sixSteps().subscribe(onNext: drain.take).dispose()
        }
    },
    Workload(name: "from-array-map", bestPeer: 145, rxSwift: 1700) { count in
        Observable.from(Array(0..<count)).map { $0 &+ 1 }.subscribe(onNext: drain.take).dispose()
    },
    Workload(name: "share-replay1x3", bestPeer: 608, rxSwift: 608) { count in
        let subject = PublishSubject<Int>()
        let shared = subject.map { $0 &+ 1 }.share(replay: 1)
        let subscriptions = (0..<3).map { _ in shared.subscribe(onNext: drain.take) }
        for value in 0..<count { subject.onNext(value) }
        subscriptions.forEach { $0.dispose() }
    },
]
