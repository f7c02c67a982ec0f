import Dispatch
import RxEngine
import RxEngineTest
import Synchronization
import TestSupport
import Testing

@Suite(.balanced) struct ObserveOnTests {
    private static let moved: TimedRule<Int>.Operation = { $0.observe(on: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("never", moved, of: [], is: [], to: 1000),
        .init("empty", moved, of: [.completed(210)], is: [.completed(211)], to: 210),
        .init(
            "every event takes a turn", moved, of: [.at(210), .at(220), .at(221), .completed(230)],
            is: [.next(211, 210), .next(221, 220), .next(222, 221), .completed(231)], to: 230),
        .init(
            "those of one time come one turn after the other", moved,
            of: [.at(210), .next(210, 1), .next(210, 2), .completed(210)],
            is: [.next(211, 210), .next(212, 1), .next(213, 2), .completed(214)], to: 210),
        .init(
            "an error does not overtake", moved, of: [.at(210), .next(210, 1), .error(210, TestError())],
            is: [.next(211, 210), .next(212, 1), .error(213, TestError())], to: 210),
        .init("disposed in time", moved, of: [.at(210), .next(210, 1)], is: [.next(211, 210)], to: 212, disposed: 212),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    static let schedulers: [any ImmediateSchedulerType] = [
        SerialDispatchQueueScheduler(qos: .default),
        ConcurrentDispatchQueueScheduler(qos: .default),
        SerialDispatchQueueScheduler(queue: .global(), internalSerialQueueName: "target"),
        CurrentThreadScheduler.instance,
        MainScheduler.instance,
        MainScheduler.asyncInstance,
        ConcurrentMainScheduler.instance,
        Inline(),
    ]

    /// Runs everything at once, wherever it is called.
    private struct Inline: ImmediateSchedulerType {
        func schedule<State>(_ state: State, action: @escaping @Sendable (State) -> any Disposable) -> any Disposable {
            action(state)
        }
    }

    // Unchecked: `log` is touched by the observer alone, which is what is tested.
    private final class Observed: ObserverType, @unchecked Sendable {
        private let inside = Atomic(0)
        let overlaps = Atomic(0)
        let ends = Atomic(0)
        var log: [Int] = []

        func on(_ event: Event<Int>) {
            if inside.add(1, ordering: .acquiringAndReleasing).oldValue != 0 { overlaps.add(1, ordering: .relaxed) }
            if let element = event.element { log.append(element) }
            inside.subtract(1, ordering: .acquiringAndReleasing)
            if event.isStopEvent { ends.add(1, ordering: .releasing) }
        }
    }

    @Test(arguments: schedulers.indices) func allComeInOrderOneAfterTheOther(_ index: Int) async throws {
        let observed = Observed()
        _ = Observable.range(start: 0, count: 10_000).observe(on: Self.schedulers[index]).subscribe(observed)
        try await eventually("it ended") { observed.ends.load(ordering: .acquiring) == 1 }
        #expect(observed.log == Array(0..<10_000))
        #expect(observed.overlaps.load(ordering: .relaxed) == 0)
    }

    @Test(arguments: schedulers.indices) func itKeepsUpWithASourceThatWaitsForIt(_ index: Int) async throws {
        let count = Box(0)
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: Self.schedulers[index])
            .subscribe(onNext: { _ in count.update { $0 += 1 } })
        for number in 1...200 {
            subject.onNext(number)
            try await eventually("\(number) came") { count.value == number }
        }
        subscription.dispose()
    }

    @Test func anObserverThatFeedsTheSourceIsToldAfterwards() {
        for scheduler: any ImmediateSchedulerType in [CurrentThreadScheduler.instance, Inline()] {
            let log = Box<[Int]>([])
            let subject = PublishSubject<Int>()
            let subscription = subject.observe(on: scheduler).subscribe(onNext: {
                log.append($0)
                if $0 < 3 { subject.onNext($0 + 1) }
                log.append(0)
            })
            subject.onNext(1)
            #expect(log.value == [1, 0, 2, 0, 3, 0])
            subscription.dispose()
        }
    }

    @Test func aLongQueueTakesNoStack() {
        onASmallStack {
            let count = Box(0)
            let subject = PublishSubject<Int>()
            let subscription = subject.observe(on: Inline()).subscribe(onNext: { value in
                count.update { $0 += 1 }
                if value == 0 { for value in 1..<100_000 { subject.onNext(value) } }
            })
            subject.onNext(0)
            #expect(count.value == 100_000)
            subscription.dispose()
        }
    }

    /// A turn on a queue does not last for ever: what is scheduled meanwhile gets its own.
    @Test(arguments: [0, 2]) func othersOnTheQueueGetTheirTurns(milliseconds: UInt32) async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let told = Box(0)
        let toldBefore = Box(-1)
        let gate = DispatchSemaphore(value: 0)
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: scheduler).subscribe(onNext: { _ in
            if told.value == 0 { gate.wait() }
            let end = scheduler.elapsed + .milliseconds(Int(milliseconds))
            while scheduler.elapsed < end {}
            told.update { $0 += 1 }
        })
        let count = milliseconds == 0 ? 10_000 : 50
        for value in 0..<count { subject.onNext(value) }
        let item = scheduler.schedule(()) {
            toldBefore.update { [told = told.value] in $0 = told }
            return Disposables.create()
        }
        gate.signal()
        try await eventually("all came") { told.value == count }
        #expect((1...256).contains(toldBefore.value))
        if milliseconds > 0 { #expect(toldBefore.value <= 2) }
        item.dispose()
        subscription.dispose()
    }

    @Test func disposingLetsGoOfWhatWaits() {
        final class Token: Sendable {}
        let queue = DispatchQueue(label: "blocked")
        queue.suspend()
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "on a blocked one")
        weak var weakToken: Token?
        weak var weakObserver: Token?
        let subject = PublishSubject<Token>()
        do {
            let observer = Token()
            weakObserver = observer
            let subscription = subject.observe(on: scheduler).subscribe(onNext: { _ in _ = observer })
            let token = Token()
            weakToken = token
            subject.onNext(token)
            subscription.dispose()
        }
        #expect(weakToken == nil)
        #expect(weakObserver == nil)
        queue.resume()
    }

    @Test func whatAThreadTellsAfterDisposingIsNotKept() {
        let queue = DispatchQueue(label: "blocked")
        queue.suspend()
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "on a blocked one")
        let count = Box(0)
        let flood = Observable<Int>.create { observer in
            // A source that does not look whether anyone still listens.
            for value in 0..<1000 {
                observer.onNext(value)
                count.update { $0 += 1 }
            }
            return Disposables.create()
        }
        flood.observe(on: scheduler).subscribe(onNext: { _ in Issue.record("told after disposing") }).dispose()
        #expect(count.value == 1000)
        queue.resume()
    }

    #if TRACE_RESOURCES
    @Test func thoseOnSerialQueuesAreCounted() {
        let before = Resources.numberOfSerialDispatchQueueObservables
        do {
            let source = Observable.just(1)
            let serial = source.observe(on: SerialDispatchQueueScheduler(qos: .default))
            let main = source.observe(on: MainScheduler.instance)
            let concurrent = source.observe(on: ConcurrentDispatchQueueScheduler(qos: .default))
            withExtendedLifetime((serial, main, concurrent)) {
                #expect(Resources.numberOfSerialDispatchQueueObservables == before + 2)
            }
        }
        #expect(Resources.numberOfSerialDispatchQueueObservables == before)
    }
    #endif
}
