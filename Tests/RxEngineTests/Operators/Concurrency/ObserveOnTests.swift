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
            "every event is scheduled", moved, of: [.at(210), .at(220), .at(221), .completed(230)],
            is: [.next(211, 210), .next(221, 220), .next(222, 221), .completed(231)], to: 230),
        .init(
            "events of one time are delivered one action after the other", moved,
            of: [.at(210), .next(210, 1), .next(210, 2), .completed(210)],
            is: [.next(211, 210), .next(212, 1), .next(213, 2), .completed(214)], to: 210),
        .init(
            "an error does not overtake", moved, of: [.at(210), .next(210, 1), .error(210, TestError())],
            is: [.next(211, 210), .next(212, 1), .error(213, TestError())], to: 210),
        .init(
            "disposed before the event is due", moved, of: [.at(210), .next(210, 1)], is: [.next(211, 210)], to: 212,
            disposed: 212),
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

    /// A scheduler that runs every action at once, on the calling thread.
    private struct Inline: ImmediateSchedulerType {
        func schedule<State>(_ state: State, action: @escaping @Sendable (State) -> any Disposable) -> any Disposable {
            action(state)
        }
    }

    // Unchecked: only the observer touches `log`, which is what is tested.
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

    @Test(arguments: schedulers.indices) func elementsAreDeliveredInOrderOneAtATime(_ index: Int) async throws {
        let observed = Observed()
        _ = Observable.range(start: 0, count: 10_000).observe(on: Self.schedulers[index]).subscribe(observed)
        try await eventually("the sequence has ended") { observed.ends.load(ordering: .acquiring) == 1 }
        #expect(observed.log == Array(0..<10_000))
        #expect(observed.overlaps.load(ordering: .relaxed) == 0)
    }

    @Test(arguments: schedulers.indices) func elementsAreDeliveredWhileSourceWaits(_ index: Int) async throws {
        let count = Cell(0)
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: Self.schedulers[index])
            .subscribe(onNext: { _ in count.update { $0 += 1 } })
        for number in 1...200 {
            subject.onNext(number)
            try await eventually("\(number) came") { count.value == number }
        }
        subscription.dispose()
    }

    @Test func reentrantElementsAreDeliveredAfterwards() {
        for scheduler: any ImmediateSchedulerType in [CurrentThreadScheduler.instance, Inline()] {
            let log = Cell<[Int]>([])
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

    @Test func longQueueTakesNoStack() {
        onSmallStack {
            let count = Cell(0)
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

    /// The operator yields the queue after a while, so that work that was scheduled meanwhile runs.
    @Test(arguments: [0, 2]) func otherWorkOnQueueIsNotStarved(milliseconds: UInt32) async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let received = Cell(0)
        let receivedBefore = Cell(-1)
        let gate = DispatchSemaphore(value: 0)
        let subject = PublishSubject<Int>()
        let subscription = subject.observe(on: scheduler).subscribe(onNext: { _ in
            if received.value == 0 { gate.wait() }
            let end = scheduler.elapsed + .milliseconds(Int(milliseconds))
            while scheduler.elapsed < end {}
            received.update { $0 += 1 }
        })
        let count = milliseconds == 0 ? 10_000 : 50
        for value in 0..<count { subject.onNext(value) }
        let item = scheduler.schedule(()) {
            receivedBefore.update { [received = received.value] in $0 = received }
            return Disposables.create()
        }
        gate.signal()
        try await eventually("all elements are received") { received.value == count }
        #expect((1...256).contains(receivedBefore.value))
        if milliseconds > 0 { #expect(receivedBefore.value <= 2) }
        item.dispose()
        subscription.dispose()
    }

    @Test func disposeDropsQueuedElements() {
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

    @Test func elementsAfterDisposeAreNotQueued() {
        let queue = DispatchQueue(label: "blocked")
        queue.suspend()
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "on a blocked one")
        let count = Cell(0)
        let flood = Observable<Int>.create { observer in
            // A source that does not check whether it is disposed.
            for value in 0..<1000 {
                observer.onNext(value)
                count.update { $0 += 1 }
            }
            return Disposables.create()
        }
        flood.observe(on: scheduler).subscribe(onNext: { _ in Issue.record("received after disposing") }).dispose()
        #expect(count.value == 1000)
        queue.resume()
    }

    #if TRACE_RESOURCES
    @Test func observeOnSerialQueuesIsCounted() {
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
