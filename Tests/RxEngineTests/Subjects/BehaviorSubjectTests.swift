import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct BehaviorSubjectTests {
    @Test func itsValueIsTheLast() throws {
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

    @Test func afterAnErrorItsValueThrowsIt() {
        let subject = BehaviorSubject(value: 1)
        subject.onError(TestError("e"))
        #expect(throws: TestError("e")) { try subject.value() }
        subject.dispose()
        #expect(throws: RxError.self) { try subject.value() }
    }

    @Test func itsValueIsTheNewOneByTheTimeItIsTold() {
        let subject = BehaviorSubject(value: 0)
        let values = Box<[Int]>([])
        let subscription = subject.subscribe(onNext: { _ in values.append((try? subject.value()) ?? -1) })
        subject.onNext(1)
        #expect(values.value == [0, 1])
        subscription.dispose()
    }

    /// A value that asks its subject something when it goes.
    private final class Curious: Sendable {
        let subject: Box<BehaviorSubject<Curious?>?>

        init(_ subject: Box<BehaviorSubject<Curious?>?>) {
            self.subject = subject
        }

        deinit {
            _ = subject.value?.hasObservers
        }
    }

    private enum Way: CaseIterable {
        case another, error, dispose
    }

    @Test func itsValueIsLetGoOfOutsideTheLock() {
        for way in Way.allCases {
            let box = Box<BehaviorSubject<Curious?>?>(nil)
            let subject = BehaviorSubject<Curious?>(value: Curious(box))
            box.update { $0 = subject }
            weak let held = try? subject.value()
            #expect(held != nil)
            switch way {
            case .another: subject.onNext(nil)
            case .error: subject.onError(TestError())
            case .dispose: subject.dispose()
            }
            #expect(held == nil)
            box.update { $0 = nil }
        }
    }
}
