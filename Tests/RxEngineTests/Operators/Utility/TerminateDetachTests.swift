import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct TerminateDetachTests {
    private final class Object: Sendable {}

    /// A source that retains its observer for ever.
    private func leaking(_ observers: Cell<[AnyObserver<Int>]>) -> Observable<Int> {
        .create { observer in
            observers.append(observer)
            return Disposables.create()
        }
    }

    /// Whether the observer's object is released after `end`, while the source retains its own observer.
    private func isReleased(
        _ apply: (Observable<Int>) -> Observable<Int>, after end: (AnyObserver<Int>, any Disposable) -> Void
    ) -> Bool {
        let observers = Cell<[AnyObserver<Int>]>([])
        weak var weakObject: Object?
        var subscription: (any Disposable)?
        do {
            let object = Object()
            weakObject = object
            subscription = apply(leaking(observers)).subscribe(onNext: { _ in withExtendedLifetime(object) {} })
        }
        observers.value[0].onNext(1)
        #expect(weakObject != nil)
        if let subscription { end(observers.value[0], subscription) }
        defer { observers.update { $0 = [] } }
        return weakObject == nil
    }

    @Test func observerIsReleasedAtEndAndDisposal() {
        let ends: [(AnyObserver<Int>, any Disposable) -> Void] = [
            { observer, _ in observer.onCompleted() },
            { _, subscription in subscription.dispose() },
        ]
        for end in ends {
            #expect(isReleased({ $0.onTerminateDetach() }, after: end))
            #expect(!isReleased({ $0 }, after: end))
        }
    }

    static let rules: [Rule<Int, Int>] = [
        .init(
            "completion", { $0.onTerminateDetach() }, of: [.next(210, 1), .completed(220)],
            is: [.next(210, 1), .completed(220)], left: 220),
        .init(
            "an error", { $0.onTerminateDetach() }, of: [.next(210, 1), .error(220, TestError())],
            is: [.next(210, 1), .error(220, TestError())], left: 220),
        .init("disposal", { $0.onTerminateDetach() }, of: [.next(210, 1)], is: [.next(210, 1)], left: 1000),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    @Test func endlessSourceInsideSubscribeIsStopped() {
        #expect(emitted(by: Observable.repeatElement(1).onTerminateDetach().take(1)) == [.next(1), .completed])
    }

    @Test func disposalWhileAnotherThreadEmits() {
        for _ in 0..<100 {
            let source = PublishSubject<Int>()
            let count = Cell(0)
            let subscription = source.onTerminateDetach().subscribe(onNext: { _ in count.update { $0 += 1 } })
            inParallel(2) { thread in
                if thread == 0 { for value in 0..<100 { source.onNext(value) } } else { subscription.dispose() }
            }
            #expect(!source.hasObservers && count.value <= 100)
        }
    }
}
