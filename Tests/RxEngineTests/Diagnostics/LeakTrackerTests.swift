#if TRACE_RESOURCES
import RxEngine
import TestSupport
import Testing

@Suite(.balancedUnrecorded) struct LeakTrackerTests {
    private final class Holder: @unchecked Sendable {
        var kept: (any Disposable)?
    }

    @Test func nothingLeaksIfAllIsDisposed() {
        let leaks = Resources.trackLeaks {
            let bag = DisposeBag()
            PublishSubject<Int>().map { $0 }.subscribe().disposed(by: bag)
            Observable.of(1, 2).flatMap { Observable.just($0) }.subscribe().disposed(by: bag)
        }
        #expect(leaks.map(\.description) == [])
    }

    @Test func leakIsNamedByOperatorAndCheckpoint() {
        let subject = PublishSubject<Int>()
        let outside = subject.filter { $0 > 0 }.subscribe()
        let holder = Holder()
        let leaks = Resources.trackLeaks {
            holder.kept = subject.scan(0) { $0 + $1 }.checkpoint("orders").subscribe()
        }
        #expect(leaks.map(\.name) == ["subscription", "checkpoint", "scan"])
        for leak in leaks {
            #expect(leak.description.hasPrefix("\(leak.name), checkpoint \"orders\", subscribed "))
            #expect(leak.description.hasSuffix(" s ago"))
        }
        holder.kept?.dispose()
        outside.dispose()
    }

    /// A subscription whose source keeps it although its bag was released.
    @Test func leakNamesItsReleasedOwner() {
        let holder = Holder()
        let leaks = Resources.trackLeaks {
            let bag = DisposeBag()
            let subscription = PublishSubject<Int>().subscribe()
            subscription.disposed(by: bag)
            holder.kept = subscription
        }
        #expect(leaks.count == 1)
        #expect(leaks.first?.description.hasSuffix("disposed, owner DisposeBag released") == true, "\(leaks)")
        holder.kept = nil
    }

    /// Releasing these does not dispose what they hold, so the subscription lives as long as its source.
    @Test(arguments: ["CompositeDisposable", "SerialDisposable"]) func leakOutlivesReleasedOwner(name: String) {
        let subject = PublishSubject<Int>()
        let leaks = Resources.trackLeaks {
            let subscription = subject.map { $0 }.checkpoint("orders").subscribe()
            if name == "SerialDisposable" {
                SerialDisposable().disposable = subscription
            } else {
                _ = CompositeDisposable(disposables: []).insert(subscription)
            }
        }
        #expect(leaks.map(\.name) == ["subscription", "checkpoint", "map"])
        let description = leaks.first?.description ?? ""
        #expect(description.hasPrefix("subscription, checkpoint \"orders\", subscribed "), "\(description)")
        #expect(description.hasSuffix(" s ago, owner \(name) released"), "\(description)")
        subject.onCompleted()
    }

    @Test func trackersMayOverlap() {
        let holder = Holder()
        let outer = Resources.LeakTracker()
        let inner = Resources.trackLeaks { holder.kept = PublishSubject<Int>().subscribe() }
        let second = Resources.trackLeaks {}
        #expect(inner.count == 1)
        #expect(second.isEmpty)
        let later = PublishSubject<Int>().subscribe()
        #expect(outer.leaks().count == 2)
        later.dispose()
        holder.kept?.dispose()
    }

    @Test func trackingEndsWithTracker() {
        do {
            let tracker = Resources.LeakTracker()
            #expect(tracker.leaks().isEmpty)
        }
        let subscription = PublishSubject<Int>().subscribe()
        #expect(Resources.graph().nodes.isEmpty)
        subscription.dispose()
    }

    @Test func trackerFindsLeaksOfAsyncCode() async {
        let holder = Holder()
        let subject = PublishSubject<Int>()
        let leaks = await Resources.trackLeaks {
            await Task.yield()
            holder.kept = subject.map { $0 }.subscribe()
        }
        #expect(leaks.map(\.name) == ["subscription", "map"])
        holder.kept?.dispose()
    }
}
#endif
