import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A kind of subject, and what its subscribers receive. It emits 1, 2 and 3; the first subscriber subscribes before
/// them, the second between 2 and 3, the third after the end, the fourth after it was disposed.
struct SubjectRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    fileprivate let make: @Sendable () -> AnySubject
    let end: Event<Int>
    /// Whether it emits nothing before the end.
    var isLate: Bool { testDescription.starts(with: "async") }
    let first: [Event<Int>]
    let second: [Event<Int>]
    let third: [Event<Int>]

    fileprivate init(
        _ name: String, _ make: @escaping @Sendable () -> AnySubject, _ end: Event<Int>,
        _ first: [Event<Int>], _ second: [Event<Int>], _ third: [Event<Int>]
    ) {
        testDescription = "\(name), \(end)"
        self.make = make
        self.end = end
        self.first = first
        self.second = second
        self.third = third
    }
}

/// Any subject of integers.
private struct AnySubject: Sendable {
    let observable: Observable<Int>
    let on: @Sendable (Event<Int>) -> Void
    let hasObservers: @Sendable () -> Bool
    /// Disposes it, and returns whether it was disposed before and after; `nil` if it cannot be disposed.
    var dispose: (@Sendable () -> (Bool, Bool))?

    static func publish() -> Self {
        let subject = PublishSubject<Int>()
        return Self(observable: subject, on: { subject.asObserver().on($0) }, hasObservers: { subject.hasObservers }) {
            let before = subject.isDisposed
            subject.dispose()
            return (before, subject.isDisposed)
        }
    }

    static func behavior() -> Self {
        let subject = BehaviorSubject(value: 0)
        return Self(observable: subject, on: { subject.asObserver().on($0) }, hasObservers: { subject.hasObservers }) {
            let before = subject.isDisposed
            subject.dispose()
            return (before, subject.isDisposed)
        }
    }

    static func replay(_ size: Int?) -> Self {
        let subject = size.map { ReplaySubject<Int>.create(bufferSize: $0) } ?? .createUnbounded()
        return Self(observable: subject, on: { subject.asObserver().on($0) }, hasObservers: { subject.hasObservers }) {
            let before = subject.isDisposed
            subject.dispose()
            return (before, subject.isDisposed)
        }
    }

    static func async() -> Self {
        let subject = AsyncSubject<Int>()
        return Self(observable: subject, on: { subject.asObserver().on($0) }, hasObservers: { subject.hasObservers })
    }
}

@Suite(.balanced) struct SubjectTests {
    private static let error = Event<Int>.error(TestError("e"))
    private static let all: [Event<Int>] = [.next(1), .next(2), .next(3)]

    static let rules: [SubjectRule] = [
        SubjectRule(
            "publish", AnySubject.publish, .completed, all + [.completed], [.next(3), .completed], [.completed]),
        SubjectRule("publish", AnySubject.publish, error, all + [error], [.next(3), error], [error]),
        SubjectRule(
            "behavior", AnySubject.behavior, .completed,
            [.next(0)] + all + [.completed], [.next(2), .next(3), .completed], [.completed]),
        SubjectRule(
            "behavior", AnySubject.behavior, error, [.next(0)] + all + [error], [.next(2), .next(3), error], [error]),
        SubjectRule(
            "replay(0)", { .replay(0) }, .completed, all + [.completed], [.next(3), .completed], [.completed]),
        SubjectRule(
            "replay(1)", { .replay(1) }, .completed,
            all + [.completed], [.next(2), .next(3), .completed], [.next(3), .completed]),
        SubjectRule("replay(2)", { .replay(2) }, error, all + [error], all + [error], [.next(2), .next(3), error]),
        SubjectRule("replay", { .replay(nil) }, .completed, all + [.completed], all + [.completed], all + [.completed]),
        SubjectRule("replay", { .replay(nil) }, error, all + [error], all + [error], all + [error]),
        SubjectRule(
            "async", AnySubject.async, .completed,
            [.next(3), .completed], [.next(3), .completed], [.next(3), .completed]),
        SubjectRule("async", AnySubject.async, error, [error], [error], [error]),
    ]

    @Test(arguments: rules) func subscribersReceiveEventsOfTheirKindOfSubject(_ rule: SubjectRule) {
        let subject = rule.make()
        let logs = (0..<4).map { _ in Cell<[Event<Int>]>([]) }
        func subscribe(_ index: Int) { _ = subject.observable.subscribe { logs[index].append($0) } }
        #expect(!subject.hasObservers())
        subscribe(0)
        subject.on(.next(1))
        subject.on(.next(2))
        subscribe(1)
        #expect(subject.hasObservers())
        subject.on(.next(3))
        subject.on(rule.end)
        #expect(!subject.hasObservers())
        // Nothing follows the end.
        for event in [.next(4), .completed, .error(TestError("late"))] as [Event<Int>] { subject.on(event) }
        subscribe(2)
        #expect(logs.dropLast().map(\.value) == [rule.first, rule.second, rule.third])
        guard let dispose = subject.dispose else { return }
        #expect(dispose() == (false, true))
        subject.on(.next(5))
        subscribe(3)
        #expect(logs[3].value.count == 1)
        if case .disposed(let object)? = logs[3].value.first?.error as? RxError {
            let isIt = object === subject.observable
            #expect(isIt)
        } else {
            Issue.record("\(logs[3].value)")
        }
    }

    @Test(arguments: rules) func disposedSubjectEmitsNothing(_ rule: SubjectRule) {
        let subject = rule.make()
        guard let dispose = subject.dispose else { return }
        let log = Cell<[Event<Int>]>([])
        _ = subject.observable.subscribe { log.append($0) }
        let before = log.value
        _ = dispose()
        #expect(!subject.hasObservers())
        subject.on(.next(1))
        subject.on(rule.end)
        #expect(log.value == before)
    }

    @Test(arguments: rules) func subscribersMayUnsubscribeDuringDelivery(_ rule: SubjectRule) {
        let subject = rule.make()
        let seen = Cell(0)
        let subscription = SerialDisposable()
        let other = SerialDisposable()
        subscription.disposable = subject.observable.map { $0 }.subscribe { _ in
            seen.update { $0 += 1 }
            subscription.dispose()
            other.dispose()
        }
        // An element does not even reach the closures of a subscriber that unsubscribed meanwhile.
        let late = Cell(0)
        other.disposable = subject.observable.map { _ in late.update { $0 += 1 } }.subscribe()
        let before = late.value
        for value in 1...3 { subject.on(.next(value)) }
        subject.on(rule.end)
        #expect(seen.value == 1)
        #expect(late.value <= max(before, rule.isLate ? 1 : 0))
        #expect(!subject.hasObservers())
    }

    /// Elements and ends that arrive during a subscriber's replay are delivered after it.
    @Test(arguments: rules) func eventsDuringReplayAreDeliveredAfterwards(_ rule: SubjectRule) {
        let subject = rule.make()
        subject.on(.next(1))
        let log = Cell<[Event<Int>]>([])
        _ = subject.observable.subscribe { event in
            log.append(event)
            if event == .next(1) {
                subject.on(.next(2))
                subject.on(rule.end)
            }
        }
        subject.on(.next(3))
        if log.value.first == .next(1) {
            #expect(log.value == [.next(1), .next(2), rule.end])
            #expect(!subject.hasObservers())
        } else {
            subject.on(rule.end)
        }
    }

    @Test(arguments: rules) func subscriptionDoesNotRetainSubject(_ rule: SubjectRule) {
        let subscription: any Disposable
        weak var held: Observable<Int>?
        do {
            let subject = rule.make()
            held = subject.observable
            subscription = subject.observable.subscribe()
        }
        #expect(held == nil)
        subscription.dispose()
    }

    /// One thread emits and others subscribe: each subscriber receives a gapless part of the elements.
    static let remembering = rules.filter { $0.end.isCompleted && !$0.isLate }

    @Test(arguments: remembering) func concurrentSubscribersMissNoElement(_ rule: SubjectRule) {
        let subject = rule.make()
        let isOver = Cell(false)
        let wrong = Cell<[String]>([])
        inParallel(3) { thread in
            if thread == 0 {
                for value in 1...4000 { subject.on(.next(value)) }
                isOver.update { $0 = true }
                return
            }
            while !isOver.value {
                let piece = Cell<(last: Int?, isIn: Bool)>((nil, false))
                let subscription = subject.observable.subscribe(onNext: { value in
                    piece.update {
                        if $0.isIn { wrong.append("two at once") }
                        if let last = $0.last, last + 1 != value { wrong.append("\(last), \(value)") }
                        $0 = (value, true)
                    }
                    piece.update { $0.isIn = false }
                })
                for _ in 0..<thread * 20 where !isOver.value {}
                subscription.dispose()
            }
        }
        #expect(wrong.value == [])
        #expect(!subject.hasObservers())
        subject.on(rule.end)
    }
}
