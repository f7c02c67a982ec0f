import RxEngine
import RxEngineFoundation
import TestSupport
import Testing

@Suite(.balanced) struct LifetimeTests {
    private final class Quiet: LifetimeHost {
        let lifetime = Lifetime()
    }

    private final class Reporting: LifetimeHost {
        let lifetime = Lifetime()
        let log: Cell<[String]>

        init(_ log: Cell<[String]>) { self.log = log }

        deinit {
            lifetime.end()
            log.append("deinit")
        }
    }

    private func log(_ source: Observable<Void>, _ name: String, in log: Cell<[String]>) -> any Disposable {
        source.subscribe(onNext: { log.append(name) }, onCompleted: { log.append("\(name) completed") })
    }

    @Test func deallocationIsEmittedOnceAfterObjectIsGone() {
        let events = Cell<[String]>([])
        weak var reference: Quiet?
        var object: Quiet? = Quiet()
        reference = object
        let sources = object.map { [$0.rx.deallocating, $0.rx.deallocated] } ?? []
        let subscriptions = zip(sources, ["deallocating", "deallocated"]).map { log($0, $1, in: events) }
        #expect(events.value.isEmpty)
        object = nil
        #expect(reference == nil)
        #expect(
            events.value == ["deallocating", "deallocating completed", "deallocated", "deallocated completed"])
        // A later subscriber receives it at once.
        let late = log(sources[1], "late", in: events)
        #expect(events.value.suffix(2) == ["late", "late completed"])
        for subscription in subscriptions + [late] { subscription.dispose() }
    }

    @Test func deallocatingPrecedesEndOfDeinitializer() {
        let events = Cell<[String]>([])
        var object: Reporting? = Reporting(events)
        let subscriptions = [
            object.map { log($0.rx.deallocating, "deallocating", in: events) },
            object.map { log($0.rx.deallocated, "deallocated", in: events) },
        ]
        object = nil
        #expect(
            events.value == [
                "deallocating", "deallocating completed", "deinit", "deallocated", "deallocated completed",
            ])
        for subscription in subscriptions { subscription?.dispose() }
    }

    @Test func sequenceEndsWithObject() {
        let events = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        var object: Quiet? = Quiet()
        let subscription = object.map {
            subject.take(until: $0.rx.deallocated).subscribe(
                onNext: { events.append($0) }, onCompleted: { events.append(-1) })
        }
        subject.onNext(1)
        object = nil
        subject.onNext(2)
        #expect(events.value == [1, -1])
        subscription?.dispose()
    }

    @Test func lifetimeEndsWithObject() {
        let events = Cell<[String]>([])
        var object: Quiet? = Quiet()
        let subscription = object.map { log($0.lifetime.ended, "ended", in: events) }
        #expect(events.value.isEmpty)
        object = nil
        #expect(events.value == ["ended", "ended completed"])
        subscription?.dispose()
    }

    @Test func disposedSubscriptionReceivesNothing() {
        let events = Cell<[String]>([])
        var object: Quiet? = Quiet()
        let subscription = object.map { log($0.rx.deallocated, "deallocated", in: events) }
        subscription?.dispose()
        object = nil
        #expect(events.value.isEmpty)
    }
}
