import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct WithUnretainedTests {
    // Unchecked: used on one thread.
    private final class Holder: @unchecked Sendable {
        var object: Cell<Int>? = Cell(7)
    }

    @Test func sequenceCompletesAfterObjectIsReleased() {
        let holder = Holder()
        let subject = PublishSubject<Int>()
        let log = EventLog<Int>()
        do {
            guard let object = holder.object else { return }
            _ = subject.withUnretained(object) { object, element in object.value * element }.subscribe(log)
        }
        subject.onNext(1)
        subject.onNext(2)
        holder.object = nil
        #expect(log.events == [.next(7), .next(14)])
        subject.onNext(3)
        #expect(log.events == [.next(7), .next(14), .completed])
        #expect(!subject.hasObservers)
    }

    @Test func withoutSelectorEmitsPairs() {
        let object = Cell(7)
        let source = Observable.of(1, 2).withUnretained(object).map { $0.value + $1 }
        #expect(emitted(by: source) == [.next(8), .next(9), .completed])
    }

    @Test func observableDoesNotRetainObject() {
        var object: Cell<Int>? = Cell(7)
        weak let weakly = object
        let source = Observable.just(1).withUnretained(object!) { $1 }
        object = nil
        #expect(weakly == nil)
        #expect(emitted(by: source) == [.completed])
    }
}
