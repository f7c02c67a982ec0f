#if TRACE_RESOURCES
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ResourcesTests {
    private func counts(_ account: Resources.Account? = nil) -> [Int] {
        Resources.Kind.allCases.map { account?.count(of: $0) ?? Resources.count(of: $0) }
    }

    @Test func everyKindOfObjectIsCounted() {
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

    @Test func operatorsAreCountedByName() {
        let before = (Resources.counts(of: .map), Resources.counts(of: .filter))
        let account = Resources.Account("pipeline")
        let subject = PublishSubject<Int>()
        let mapped = account.charge { subject.map { $0 }.map { $0 } }
        let filtered = mapped.filter { $0 > 0 }
        let subscriptions = [filtered.subscribe(), account.charge { mapped.subscribe() }]
        #expect(Resources.counts(of: .map).observables - before.0.observables == 2)
        #expect(Resources.counts(of: .map).runs - before.0.runs == 4)
        #expect(Resources.counts(of: .filter).observables - before.1.observables == 1)
        #expect(Resources.counts(of: .filter).runs - before.1.runs == 1)
        #expect(account.counts(of: .map) == Resources.OperatorCounts(observables: 2, runs: 2))
        #expect(account.counts(of: .filter) == Resources.OperatorCounts(observables: 0, runs: 0))
        subscriptions.forEach { $0.dispose() }
        #expect(Resources.counts(of: .map).runs == before.0.runs)
    }

    /// An object that one thread makes may be released on another thread, and a thread may end before the objects it
    /// made.
    @Test func countsAreExactAcrossThreads() {
        let before = Resources.count(of: .disposable)
        let made = Cell<[BooleanDisposable]>([])
        inParallel(4) { _ in
            for _ in 0..<1000 { made.append(BooleanDisposable()) }
        }
        #expect(Resources.count(of: .disposable) - before == 4000)
        inParallel(4) { _ in
            for _ in 0..<500 { made.update { _ = $0.popLast() } }
        }
        #expect(Resources.count(of: .disposable) - before == 2000)
        made.update { $0 = [] }
        #expect(Resources.count(of: .disposable) == before)
    }

    @Test func totalIsSumOfKinds() {
        let before = Resources.total
        let bag = DisposeBag()
        PublishSubject<Int>().subscribe().disposed(by: bag)
        #expect(Int(Resources.total) == counts().reduce(0, +))
        #expect(Resources.total > before)
    }

    @Test func accountCountsItsOwnObjects() {
        let account = Resources.Account("pipeline")
        let subject = PublishSubject<Int>()
        let shared = account.charge { subject.map { $0 }.share() }
        let subscription = account.charge { shared.subscribe() }
        let outside = subject.subscribe()
        #expect(account.name == "pipeline")
        #expect(account.count(of: .subscription) == 2)
        #expect(account.count(of: .observable) == 2)
        #expect(account.count(of: .subject) == 0)
        subscription.dispose()
        outside.dispose()
    }

    @Test func accountIsEmptyAfterRelease() {
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
