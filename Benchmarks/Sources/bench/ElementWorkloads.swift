import RxEngine

/// The cost of an element in operators and observers.
let elementWorkloads = pipelineWorkloads + operatorWorkloads + observerWorkloads

private let pipelineWorkloads = [
    Workload("subject1", bestPeer: 88, rxSwift: 237) { count in
        Observable.pump(count, through: { $0 }, to: drain.take)
    },
    Workload("subject2", bestPeer: 217, rxSwift: 252) { count in
        let subject = PublishSubject<Int>()
        let subscriptions = [subject.subscribe(onNext: drain.take), subject.subscribe(onNext: drain.take)]
        for value in 0..<count { subject.onNext(value) }
        subscriptions.forEach { $0.dispose() }
    },
    Workload("behavior-relay") { count in
        let relay = BehaviorRelay(value: 0)
        let subscription = relay.subscribe(onNext: drain.take)
        for value in 0..<count { relay.accept(value) }
        subscription.dispose()
    },
    Workload("mapfilter6", bestPeer: 143, rxSwift: 600) { count in
        Observable.pump(count, through: { $0.sixSteps() }, to: drain.take)
    },
    Workload("strings") { count in
        Observable.pump(count, through: { $0.map { $0 & 1 == 0 ? "even" : "odd" }.filter { $0 != "" } }) {
            drain.take($0.utf8.count)
        }
    },
    Workload("range-map-filter-reduce", bestPeer: 185, rxSwift: 1578) { count in
        Observable.range(start: 0, count: count).map { $0 &+ 1 }.filter { $0 != -1 }.reduce(0) { $0 &+ $1 }
            .subscribe(onNext: drain.take).dispose()
    },
    Workload("from-array-map", bestPeer: 145, rxSwift: 1700) { count in
        Observable.from(Array(0..<count)).map { $0 &+ 1 }.subscribe(onNext: drain.take).dispose()
    },
    Workload("flatMap", bestPeer: 583, rxSwift: 917) { count in
        Observable.pump(count, through: { $0.flatMap { Observable.just($0) } }, to: drain.take)
    },
    Workload("flatMap-of") { count in
        Observable.pump(count, through: { $0.flatMap { Observable.of($0, $0) } }, to: drain.take)
    },
    Workload("flatMapLatest", bestPeer: 509, rxSwift: 831) { count in
        Observable.pump(count, through: { $0.flatMapLatest { Observable.just($0) } }, to: drain.take)
    },
    Workload("concatMap") { count in
        Observable.pump(count, through: { $0.concatMap { Observable.just($0) } }, to: drain.take)
    },
    Workload("concatMapEager") { count in
        Observable.pump(count, through: { $0.concatMapEager { Observable.just($0) } }, to: drain.take)
    },
    // All are queued before the first ends.
    Workload("concatMapEager-queued") { count in
        let (sources, first) = (PublishSubject<Observable<Int>>(), PublishSubject<Int>())
        let subscription = sources.concatEager(maxConcurrent: 2).subscribe(onNext: drain.take)
        sources.onNext(first.asObservable())
        let next = Observable.just(1)
        for _ in 0..<count { sources.onNext(next) }
        first.onCompleted()
        subscription.dispose()
    },
    Workload("combineLatest4", bestPeer: 790, rxSwift: 539) { count in
        Observable.pumpInTurn(
            count, into: 4, through: { Observable.combineLatest($0[0], $0[1], $0[2], $0[3]) { $0 &+ $1 &+ $2 &+ $3 } },
            to: drain.take)
    },
    Workload("zip2", bestPeer: 463, rxSwift: 638) { count in
        Observable.pumpInTurn(count, into: 2, through: { Observable.zip($0[0], $0[1]) { $0 &+ $1 } }, to: drain.take)
    },
    Workload("zip-longest2") { count in
        Observable.pumpInTurn(
            count, into: 2, through: { Observable.zip(longest: $0[0], $0[1]) { ($0 ?? 0) &+ ($1 ?? 0) } },
            to: drain.take)
    },
    Workload("merge8", bestPeer: 453, rxSwift: 321) { count in
        Observable.pumpInTurn(count, into: 8, through: { Observable.merge($0) }, to: drain.take)
    },
    // All are queued before the first ends.
    Workload("merge-limited") { count in
        let (sources, first) = (PublishSubject<Observable<Int>>(), PublishSubject<Int>())
        let subscription = sources.merge(maxConcurrent: 1).subscribe(onNext: drain.take)
        sources.onNext(first.asObservable())
        let next = Observable.just(1)
        for _ in 0..<count { sources.onNext(next) }
        first.onCompleted()
        subscription.dispose()
    },
    // Each element is emitted while another one is being delivered.
    Workload("merge-reentrant") { count in
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = Observable.merge([first.asObservable(), second.asObservable()]).subscribe(onNext: { value in
            drain.take(value)
            guard value == 0 else { return }
            for value in 1...max(count, 1) { second.onNext(value) }
        })
        first.onNext(0)
        subscription.dispose()
    },
    Workload("withLatestFrom") { count in
        Observable.pumpInTurn(
            count, into: 2, through: { $0[0].withLatestFrom($0[1]) { $0 &+ $1 } }, to: drain.take)
    },
    Workload("share-replay1x3", bestPeer: 608, rxSwift: 608) { count in
        let subject = PublishSubject<Int>()
        let shared = subject.map { $0 &+ 1 }.share(replay: 1)
        let subscriptions = (0..<3).map { _ in shared.subscribe(onNext: drain.take) }
        for value in 0..<count { subject.onNext(value) }
        subscriptions.forEach { $0.dispose() }
    },
    Workload("share-grace") { count in
        let scheduler = HistoricalScheduler()
        Observable.pump(
            count,
            through: { $0.share(replay: 1, scope: .whileConnected(grace: .seconds(1), scheduler: scheduler)) },
            to: drain.take)
    },
    Workload("pausableBuffered") { count in
        Observable.pump(
            count, through: { $0.pausableBuffered(Observable.just(true).concat(.never()), limit: 1) }, to: drain.take)
    },
    Workload("onBackpressure") { count in
        let scheduler = HistoricalScheduler()
        let subject = PublishSubject<Int>()
        let subscription = subject.onBackpressure(.buffer(limit: 16, overflow: .dropOldest), on: scheduler).subscribe(
            onNext: drain.take)
        for value in 0..<count {
            subject.onNext(value)
            if value & 15 == 15 { scheduler.start() }
        }
        subscription.dispose()
    },
    Workload("auditTime") { count in
        let scheduler = HistoricalScheduler()
        Observable.pump(count, through: { $0.auditTime(.seconds(1), scheduler: scheduler) }, to: drain.take)
    },
    Workload("scan-distinct", bestPeer: 413, rxSwift: 415) { count in
        Observable.pump(count, through: { $0.scan(0) { $0 &+ $1 }.distinctUntilChanged() }, to: drain.take)
    },
    Workload("take-skip") { count in
        Observable.pump(count, through: { $0.skip(1).take(Int.max).skip(while: { $0 < 0 }) }, to: drain.take)
    },
    Workload("buffer") { count in
        let scheduler = HistoricalScheduler()
        Observable.pump(count, through: { $0.buffer(timeSpan: .seconds(1), count: 10, scheduler: scheduler) }) {
            drain.take($0.count)
        }
    },
]
