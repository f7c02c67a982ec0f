import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct BehaviorSubjectTests {
    @Test func valueIsLatestElement() throws {
        let subject = BehaviorSubject(value: 1)
        #expect(try subject.value() == 1)
        subject.onNext(2)
        #expect(try subject.value() == 2)
        subject.onCompleted()
        subject.onNext(3)
        #expect(try subject.value() == 2)
        subject.dispose()
        #expect(throws: RxError.self) { try subject.value() }
    }

    @Test func valueThrowsErrorAfterFailure() {
        let subject = BehaviorSubject(value: 1)
        subject.onError(TestError("e"))
        #expect(throws: TestError("e")) { try subject.value() }
        subject.dispose()
        #expect(throws: RxError.self) { try subject.value() }
    }

    @Test func valueIsUpdatedBeforeDelivery() {
        let subject = BehaviorSubject(value: 0)
        let values = Cell<[Int]>([])
        let subscription = subject.subscribe(onNext: { _ in values.append((try? subject.value()) ?? -1) })
        subject.onNext(1)
        #expect(values.value == [0, 1])
        subscription.dispose()
    }

    /// A value that uses its subject when it is released.
    private final class ReentrantValue: Sendable {
        let subject: Cell<BehaviorSubject<ReentrantValue?>?>

        init(_ subject: Cell<BehaviorSubject<ReentrantValue?>?>) {
            self.subject = subject
        }

        deinit {
            _ = subject.value?.hasObservers
        }
    }

    private enum Change: CaseIterable {
        case another, error, dispose
    }

    @Test func valueIsReleasedOutsideLock() {
        for change in Change.allCases {
            let box = Cell<BehaviorSubject<ReentrantValue?>?>(nil)
            let subject = BehaviorSubject<ReentrantValue?>(value: ReentrantValue(box))
            box.update { $0 = subject }
            weak let held = try? subject.value()
            #expect(held != nil)
            switch change {
            case .another: subject.onNext(nil)
            case .error: subject.onError(TestError())
            case .dispose: subject.dispose()
            }
            #expect(held == nil)
            box.update { $0 = nil }
        }
    }
}
