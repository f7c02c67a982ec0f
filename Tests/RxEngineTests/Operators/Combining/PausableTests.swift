import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct PausableTests {
    @Test func elementsPassWhileGateIsOpen() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(
            [.next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4), .completed(300)])
        let gate = scheduler.createHotObservable([
            .next(220, true), .next(240, false), .next(260, true), .completed(265),
        ])
        let observer = scheduler.start { source.asObservable().pausable(gate.asObservable()) }
        #expect(observer.events == [.next(230, 2), .next(270, 4), .completed(300)])
        #expect(source.subscriptions == [Subscription(200, 300)] && gate.subscriptions == [Subscription(200, 265)])
    }

    @Test func errorOfSourceEndsResultAlsoWhilePaused() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .error(230, TestError())])
        let gate = scheduler.createHotObservable([.next(220, false)])
        let observer = scheduler.start { source.asObservable().pausable(gate.asObservable()) }
        #expect(observer.events == [.error(230, TestError())])
        #expect(source.subscriptions == [Subscription(200, 230)] && gate.subscriptions == [Subscription(200, 230)])
    }

    /// A gate that never emits is closed; disposing leaves both.
    @Test func disposeLeavesSourceAndGate() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(400, 2)])
        let gate = scheduler.createHotObservable([.next(500, true)])
        let observer = scheduler.start(disposed: 300) { source.asObservable().pausable(gate.asObservable()) }
        #expect(observer.events.isEmpty)
        #expect(source.subscriptions == [Subscription(200, 300)] && gate.subscriptions == [Subscription(200, 300)])
    }

    @Test func errorOfGateEndsResult() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(250, 1)])
        let gate = scheduler.createHotObservable([.error(220, TestError())] as [Recorded<Event<Bool>>])
        let observer = scheduler.start { source.asObservable().pausable(gate.asObservable()) }
        #expect(observer.events == [.error(220, TestError())] && source.subscriptions == [Subscription(200, 220)])
    }
}
