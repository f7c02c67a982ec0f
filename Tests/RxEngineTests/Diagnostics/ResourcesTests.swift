#if TRACE_RESOURCES
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ResourcesTests {
    private func counts(_ account: Resources.Account? = nil) -> [Int] {
        Resources.Kind.allCases.map { account?.count(of: $0) ?? Resources.count(of: $0) }
    }

    @Test func everyKindIsCounted() {
        let before = counts()
        func change() -> [Int] { zip(counts(), before).map { $0 - $1 } }
        let subject = PublishSubject<Int>()
        #expect(change() == [1, 0, 0, 1, 0, 0])
        let mapped = subject.map { $0 }
        #expect(change() == [2, 0, 0, 1, 0, 0])
        let subscription = mapped.subscribe()
        #expect(change() == [2, 1, 0, 1, 0, 0])
        withExtendedLifetime((BooleanDisposable(), subject, mapped)) {
            #expect(change() == [2, 1, 1, 1, 0, 0])
        }
        subscription.dispose()
        Resources.incrementTotal()
        #expect(change().last == 1)
        Resources.decrementTotal()
    }

    @Test func theTotalIsTheSumOfTheKinds() {
        let before = Resources.total
        let bag = DisposeBag()
        PublishSubject<Int>().subscribe().disposed(by: bag)
        #expect(Int(Resources.total) == counts().reduce(0, +))
        #expect(Resources.total > before)
    }

    @Test func anAccountHasItsPartOfTheCounts() {
        let account = Resources.Account("pipeline")
        let subject = PublishSubject<Int>()
        let subscription = account.charge { subject.map { $0 }.share().subscribe() }
        let outside = subject.subscribe()
        #expect(account.name == "pipeline")
        #expect(account.count(of: .subscription) == 2)
        #expect(account.count(of: .observable) == 2)
        #expect(account.count(of: .subject) == 0)
        subscription.dispose()
        outside.dispose()
    }

    @Test func anAccountIsEmptyWhenItsObjectsAreGone() {
        let account = Resources.Account("pipeline")
        account.charge {
            let subscription = Observable.of(1, 2).share(replay: 1).subscribe()
            subscription.dispose()
        }
        #expect(account.total == 0)
    }

    @Test func accountsNest() {
        let outer = Resources.Account("outer")
        let inner = Resources.Account("inner")
        let (one, two, three) = outer.charge {
            (BooleanDisposable(), inner.charge { BooleanDisposable() }, BooleanDisposable())
        }
        #expect(outer.total == 2)
        #expect(inner.total == 1)
        withExtendedLifetime((one, two, three)) {}
    }
}
#endif
