import RxEngine

/// The cost of an element in one operator behind a subject, `subject1`. A row with two names has another one before it.
let operatorWorkloads = transforming + filtering + combining + timed + passingOn

private let transforming = [
    row("enumerated") { $0.enumerated() },
    row("pairwise") { $0.pairwise() },
    row("nwise") { $0.nwise(3) },
    row("mapTo") { $0.mapTo(1) },
    row("compactMap") { $0.compactMap { $0 & 1 == 0 ? $0 : nil } },
    row("map-unwrap") { $0.map { $0 & 1 == 0 ? $0 : nil }.unwrap() },
    row("map-cast") { $0.map { $0 as Any }.cast(to: Int.self) },
    row("scan-into") { $0.scan(into: 0) { $0 &+= $1 } },
    row("materialize") { $0.materialize() },
    row("buffer-count") { $0.buffer(count: 10) },
    row("buffer-skip") { $0.buffer(count: 10, skip: 5) },
    row("buffer-while") { $0.buffer(while: { $0 % 10 != 9 }) },
    marked("buffer-until") { $0.buffer(until: $1) },
    marked("window-until") { $0.window(until: $1).merge() },
    row("groupBy-merge") { $0.groupBy { $0 & 7 }.merge() },
    row("switchOnFirst") { $0.switchOnFirst { $1 } },
]

private let filtering = [
    // One of 64 keys, all but the first time known.
    row("distinct") { $0.distinct { $0 & 63 } },
    row("skipLast") { $0.skipLast(3) },
    row("takeLast") { $0.takeLast(3) },
    row("takeLast-for") { $0.takeLast(for: .microseconds(1), scheduler: clock) },
    row("map-ofType") { $0.map { $0 as Any }.ofType(Int.self) },
    row("ignore") { $0.ignore(1, 2) },
    row("filter-isEmpty") { $0.filter { $0 < 0 }.isEmpty().asObservable() },
    row("ignoreElements") { $0.ignoreElements().asObservable() },
    row("contains") { $0.contains(-1).asObservable() },
    row("all") { $0.all { $0 >= 0 }.asObservable() },
    row("count") { $0.count().asObservable() },
    row("take-until") { $0.take(until: Observable<Int>.never()) },
    row("skip-until") { $0.skip(until: Observable.just(1)) },
    row("pausable") { $0.pausable(Observable.just(true).concat(.never())) },
]

private let combining = [
    // Both sequences emit each element.
    row("sequenceEqual") { $0.sequenceEqual($0).asObservable() },
    inTurn("combineLatest-list4") { Observable.combineLatest($0) { $0.count } },
    inTurn("zip-list4") { Observable.zip($0) { $0.count } },
    inTurn("amb4") { Observable.amb($0) },
    inTurn("mergeDelayError4") { Observable.mergeDelayError($0) },
    inTurn("concatDelayError4") { Observable.concatDelayError($0) },
    inTurn("combineLatestDelayError4") { Observable.combineLatestDelayError($0) { $0.count } },
    marked("sample") { $0.sample($1) },
    // Every other element is followed by one.
    row("expand") { $0.expand { $0 & 1 == 0 ? .just($0 + 1) : .empty() } },
    row("startWith") { $0.startWith(1) },
    Workload("partition") { count in
        let subject = PublishSubject<Int>()
        let (matching, others) = subject.partition { $0 & 1 == 0 }
        let subscriptions = [matching.subscribe(onNext: drain.take), others.subscribe(onNext: drain.take)]
        for value in 0..<count { subject.onNext(value) }
        subscriptions.forEach { $0.dispose() }
    },
]

private let clock = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")

private let timed = [
    // Each element starts a sequence, which stops that of the element before it.
    row("debounce-selector") { $0.debounce { _ in Observable<Int>.never() } },
    // Each element starts a sequence, which ends at once.
    row("throttle-selector") { $0.throttle { _ in Observable<Int>.empty() } },
    row("throttleLast") { $0.throttleLast(.seconds(1), scheduler: clock) },
    row("throttleFirst") { $0.throttleFirst(.seconds(1), scheduler: clock) },
    row("timeInterval") { $0.timeInterval(scheduler: clock) },
    row("timestamp") { $0.timestamp(scheduler: clock) },
]

private let passingOn = [
    row("serialized") { $0.serialized() },
    row("do") { $0.do(onNext: drain.take) },
    row("doFinally") { $0.doFinally {} },
    row("tap") { $0.tap(Counter()) },
    row("onTerminateDetach") { $0.onTerminateDetach() },
    row("counted") { $0.counted(in: Demand(limit: 64)) { $0 } },
    row("retry") { $0.retry() },
    row("retry-when") { $0.retry { (errors: Observable<any Error>) in errors } },
    row("catch") { $0.catchAndReturn(0) },
    row("ifEmpty") { $0.ifEmpty(default: 0) },
]

/// Listens to the elements.
private struct Counter: SequenceListener {
    func onNext(_ element: some Any) { drain.take(1) }
}

@inline(__always)
private func row<Result>(
    _ name: String, _ assemble: @escaping @Sendable (PublishSubject<Int>) -> Observable<Result>
) -> Workload {
    Workload(name) { count in Observable.pump(count, through: assemble) { _ in drain.take(1) } }
}

/// A row for an operator on four sequences, which emit alternately.
@inline(__always)
private func inTurn(
    _ name: String, _ assemble: @escaping @Sendable ([PublishSubject<Int>]) -> Observable<Int>
) -> Workload {
    Workload(name) { count in Observable.pumpInTurn(count, into: 4, through: assemble, to: drain.take) }
}

/// A row for an operator with a second sequence, which emits after ten elements of the first.
@inline(__always)
private func marked<Result>(
    _ name: String, _ assemble: @escaping @Sendable (PublishSubject<Int>, PublishSubject<Int>) -> Observable<Result>
) -> Workload {
    Workload(name) { count in Observable.pumpWithMarks(count, through: assemble) { _ in drain.take(1) } }
}
