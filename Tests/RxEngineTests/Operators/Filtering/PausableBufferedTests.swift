import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct PausableBufferedTests {
    /// The gate's elements 0 and 1 close and open it.
    private static func paused(
        limit: Int, _ overflow: OverflowRule
    ) -> @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int> {
        { $0.pausableBuffered($1.map { $0 == 1 }, limit: limit, overflow: overflow) }
    }
    private static let roomy = paused(limit: 9, .dropOldest)
    private static let four: [Recorded<Event<Int>>] = [
        .next(210, 1), .next(220, 2), .next(230, 3), .next(240, 4), .completed(300),
    ]
    private static let opening: [Recorded<Event<Int>>] = [.next(250, 1)]

    static let rules: [TwoSourceRule<Int>] = [
        .init(
            "elements wait for the gate", roomy, of: four, [.next(225, 1), .next(235, 0), .next(250, 1)],
            is: [.next(225, 1), .next(225, 2), .next(230, 3), .next(250, 4), .completed(300)], left: (300, 300)),
        .init(
            "completion waits for the gate", roomy, of: [.next(210, 1), .completed(220)], opening,
            is: [.next(250, 1), .completed(250)], left: (220, 250)),
        .init(
            "completion without queued elements", roomy, of: [.completed(220)], opening, is: [.completed(220)],
            left: (220, 220)),
        .init(
            "a gate that completes open", roomy, of: four, [.next(215, 1), .completed(225)],
            is: [.next(215, 1), .next(220, 2), .next(230, 3), .next(240, 4), .completed(300)], left: (300, 225)),
        .init(
            "a gate that completes closed drops the elements", roomy, of: four, [.completed(225)],
            is: [.completed(300)], left: (300, 225)),
        .init(
            "a gate that completes after the source", roomy, of: [.next(210, 1), .completed(220)], [.completed(230)],
            is: [.completed(230)], left: (220, 230)),
        .init(
            "an error of the source drops the elements", roomy, of: [.next(210, 1), .error(220, TestError())], opening,
            is: [.error(220, TestError())], left: (220, 220)),
        .init(
            "an error of the gate", roomy, of: four, [.error(225, TestError())], is: [.error(225, TestError())],
            left: (225, 225)),
        .init(
            "an error of the gate after the source", roomy, of: [.next(210, 1), .completed(220)],
            [.error(230, TestError())], is: [.error(230, TestError())], left: (220, 230)),
        .init(
            "a full queue drops the oldest", paused(limit: 2, .dropOldest), of: four, opening,
            is: [.next(250, 3), .next(250, 4), .completed(300)], left: (300, 300)),
        .init(
            "a full queue drops the newest", paused(limit: 2, .dropNewest), of: four, opening,
            is: [.next(250, 1), .next(250, 2), .completed(300)], left: (300, 300)),
        .init(
            "a full queue keeps the latest", paused(limit: 3, .latest), of: four, opening,
            is: [.next(250, 4), .completed(300)], left: (300, 300)),
        .init(
            "a full queue fails", paused(limit: 3, .error), of: four, opening,
            is: [.error(240, BufferOverflowError(limit: 3))], left: (240, 240)),
    ]

    @Test(arguments: rules) func rule(_ rule: TwoSourceRule<Int>) {
        rule.check()
    }

    @Test func disposalInsideQueuedElementsStopsThem() {
        let (source, gate) = (PublishSubject<Int>(), PublishSubject<Bool>())
        let log = EventLog<Int>()
        let subscription = source.pausableBuffered(gate, limit: 9).take(1).subscribe(log)
        for value in 1...2 { source.onNext(value) }
        gate.onNext(true)
        #expect(log.events == [.next(1), .completed] && !source.hasObservers && !gate.hasObservers)
        subscription.dispose()
    }

    /// The observer closes the gate and emits an element at the first queued one: the others are delivered, the new one
    /// waits.
    @Test func reentrantEventsFollowQueuedElements() {
        let (source, gate) = (PublishSubject<Int>(), PublishSubject<Bool>())
        let log = Cell<[Int]>([])
        let subscription = source.pausableBuffered(gate, limit: 9).subscribe(onNext: {
            log.append($0)
            guard $0 == 1 else { return }
            gate.onNext(false)
            source.onNext(3)
        })
        for value in 1...2 { source.onNext(value) }
        gate.onNext(true)
        #expect(log.value == [1, 2])
        gate.onNext(true)
        #expect(log.value == [1, 2, 3])
        subscription.dispose()
    }

    /// The queue does not grow, so an error for a full one is not emitted.
    @Test func gateThatNeverOpensHoldsNothing() {
        let (source, gate) = (PublishSubject<Cell<Int>>(), PublishSubject<Bool>())
        let ends = Cell<[String]>([])
        let subscription = source.pausableBuffered(gate, limit: 1, overflow: .error).subscribe(
            onError: { _ in ends.append("error") }, onCompleted: { ends.append("completed") })
        weak var queued: Cell<Int>?
        do {
            let element = Cell(1)
            queued = element
            source.onNext(element)
        }
        #expect(queued != nil)
        gate.onCompleted()
        #expect(queued == nil)
        for value in 2...4 { source.onNext(Cell(value)) }
        source.onCompleted()
        #expect(ends.value == ["completed"])
        subscription.dispose()
    }

    @Test func gateThatEndsResultInsideSubscribeStartsNoSource() {
        let source = PublishSubject<Int>()
        #expect(emitted(by: source.pausableBuffered(Observable.error(TestError()), limit: 1)) == [.error(TestError())])
        #expect(!source.hasObservers)
        let endless = Observable.repeatElement(1).pausableBuffered(Observable.just(true), limit: 1)
        #expect(emitted(by: endless.take(2)) == [.next(1), .next(1), .completed])
    }

    @Test func noElementIsLostOrReorderedBetweenThreads() {
        for _ in 0..<20 {
            let (source, gate) = (PublishSubject<Int>(), PublishSubject<Bool>())
            let log = Cell<[Int]>([])
            let ends = Cell(0)
            let subscription = source.pausableBuffered(gate, limit: .max).subscribe(
                onNext: { log.append($0) }, onCompleted: { ends.update { $0 += 1 } })
            inParallel(2) { thread in
                if thread == 0 {
                    for number in 0..<1000 { source.onNext(number) }
                    source.onCompleted()
                } else {
                    for number in 0...100 { gate.onNext(number % 2 == 0) }
                }
            }
            #expect(log.value == Array(0..<1000) && ends.value == 1)
            subscription.dispose()
        }
    }

    @Test func limitOfZeroTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.just(1).pausableBuffered(Observable.just(true), limit: 0)
        }
    }
}
