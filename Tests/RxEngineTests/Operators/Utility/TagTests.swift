#if TRACE_RESOURCES
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct TagTests {
    private func tag(_ name: String) -> Resources.Account? {
        Resources.tags.first { $0.name == name }
    }

    @Test func runsAreCountedUnderTag() throws {
        let subject = PublishSubject<Int>()
        let tagged = subject.map { $0 }.filter { $0 > 0 }.tag("api")
        let account = try #require(tag("api"))
        #expect(account.total == 0)
        let subscriptions = [tagged.subscribe(), tagged.subscribe()]
        #expect(account.counts(of: .map).runs == 2 && account.counts(of: .filter).runs == 2)
        let other = subject.map { $0 }.subscribe()
        #expect(account.counts(of: .map).runs == 2)
        subscriptions.forEach { $0.dispose() }
        other.dispose()
        #expect(account.total == 0)
    }

    /// - Parameter isNested: whether the outer run carries out the operator rather than the operator's own run.
    @Test(arguments: [false, true]) func laterSourceOfConcatIsCountedUnderTag(_ isNested: Bool) throws {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let tagged = first.concat(second.map { $0 }).tag("steps")
        let account = try #require(tag("steps"))
        let subscription = (isNested ? Observable.empty().concat(tagged).concat(.never()) : tagged).subscribe()
        #expect(account.counts(of: .map).runs == 0)
        first.onCompleted()
        #expect(account.counts(of: .map).runs == 1)
        subscription.dispose()
        #expect(account.total == 0)
    }

    @Test func firstSourceOfNestedConcatIsCountedUnderTag() throws {
        let (before, first) = (PublishSubject<Int>(), PublishSubject<Int>())
        let tagged = first.map { $0 }.concat(Observable.empty()).tag("first source")
        let account = try #require(tag("first source"))
        let subscription = before.concat(tagged).concat(.never()).subscribe()
        #expect(account.counts(of: .map).runs == 0)
        before.onCompleted()
        #expect(account.counts(of: .map).runs == 1)
        subscription.dispose()
        #expect(account.total == 0)
    }

    @Test func sequenceAfterTaggedSequenceIsNotCounted() throws {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let tagged = first.concat(Observable.empty()).tag("first")
        let account = try #require(tag("first"))
        let subscription = Observable.empty().concat(tagged).concat(second.map { $0 }).subscribe()
        first.onCompleted()
        #expect(second.hasObservers)
        #expect(account.counts(of: .map).runs == 0)
        subscription.dispose()
    }

    @Test func equalTagsShareAccount() {
        let subject = PublishSubject<Int>()
        let (one, other) = (subject.map { $0 }.tag("both"), subject.map { $0 }.tag("both"))
        let subscriptions = [one.subscribe(), other.subscribe()]
        #expect(Resources.tags.count { $0.name == "both" } == 1)
        #expect(tag("both")?.counts(of: .map).runs == 2)
        subscriptions.forEach { $0.dispose() }
    }

    @Test func unusedTagIsRemoved() {
        do { withExtendedLifetime(Observable.just(1).tag("short")) { #expect(tag("short") != nil) } }
        #expect(tag("short") == nil)
    }

    @Test func eventsPassUnchanged() {
        #expect(emitted(by: Observable.of(1, 2).tag("here")) == [.next(1), .next(2), .completed])
        #expect(emitted(by: Observable<Int>.error(TestError()).tag("here")) == [.error(TestError())])
    }
}
#endif
