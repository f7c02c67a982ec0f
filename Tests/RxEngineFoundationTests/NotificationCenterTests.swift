import Dispatch
import Foundation
import RxEngine
import RxEngineFoundation
import Synchronization
import TestSupport
import Testing

@Suite(.balanced) struct NotificationCenterTests {
    private let center = NotificationCenter()
    private let name = Notification.Name("test")

    @Test func notificationsAreDeliveredBeforePostReturns() {
        let log = Cell<[Int]>([])
        let subscription = numbers().subscribe(onNext: { log.append($0) })
        post(1)
        #expect(log.value == [1])
        center.post(name: Notification.Name("other"), object: nil, userInfo: ["number": 2])
        post(3)
        #expect(log.value == [1, 3])
        subscription.dispose()
    }

    @Test func sequenceWithoutNameDeliversAllNotifications() {
        let log = Cell<[String]>([])
        let subscription = center.rx.notification(nil).map(\.name.rawValue).subscribe(onNext: { log.append($0) })
        for name in ["a", "b"] { center.post(name: Notification.Name(name), object: nil) }
        #expect(log.value == ["a", "b"])
        subscription.dispose()
    }

    @Test func sequenceOfObjectDeliversItsNotificationsOnly() {
        let mine = NSObject()
        let others = NSObject()
        let log = Cell<[Int]>([])
        let subscription = numbers(from: mine).subscribe(onNext: { log.append($0) })
        post(1, from: mine)
        post(2, from: others)
        post(3)
        #expect(log.value == [1])
        subscription.dispose()
    }

    @Test func objectIsNotRetained() {
        weak var gone: NSObject?
        let source: Observable<Int>
        do {
            let object = NSObject()
            gone = object
            source = numbers(from: object)
        }
        #expect(gone == nil)
        // After the object is released there are no notifications, rather than those of every object.
        let log = Cell<[Int]>([])
        let subscription = source.subscribe(onNext: { log.append($0) })
        post(1)
        post(2, from: NSObject())
        #expect(log.value == [])
        subscription.dispose()
    }

    @Test func disposingRemovesObserver() {
        final class TrackedObject: Sendable {}
        weak var held: TrackedObject?
        let log = Cell<[Int]>([])
        do {
            let object = TrackedObject()
            held = object
            let subscription = numbers().subscribe(onNext: { number in
                withExtendedLifetime(object) { log.append(number) }
            })
            post(1)
            subscription.dispose()
            post(2)
        }
        #expect(log.value == [1])
        #expect(held == nil)
    }

    @Test func eachSubscriptionAddsOneObserver() {
        let log = Cell<[String]>([])
        let source = numbers()
        post(1)
        let first = source.subscribe(onNext: { log.append("first \($0)") })
        post(2)
        let second = source.subscribe(onNext: { log.append("second \($0)") })
        post(3)
        first.dispose()
        post(4)
        second.dispose()
        #expect(log.value.sorted() == ["first 2", "first 3", "second 3", "second 4"])
    }

    @Test func nothingIsDeliveredAfterDisposingInsideEvent() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        handle.disposable = numbers().subscribe(onNext: { [center, name] number in
            log.append(number)
            center.post(name: name, object: nil, userInfo: ["number": number + 1])
            handle.dispose()
        })
        post(1)
        #expect(log.value == [1])
    }

    @Test func notificationPostedByObserverIsDeliveredAfterwards() {
        let log = Cell<[String]>([])
        let subscription = numbers().subscribe(onNext: { [center, name] number in
            log.append("begin \(number)")
            if number < 3 { center.post(name: name, object: nil, userInfo: ["number": number + 1]) }
            log.append("end \(number)")
        })
        post(1)
        #expect(log.value == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        subscription.dispose()
    }

    @Test func concurrentPostsAreDeliveredOneAtATime() async throws {
        let overlaps = Cell(0)
        let seen = Cell<[Int]>([])
        let running = Atomic(0)
        let subscription = numbers().subscribe(onNext: { number in
            if running.add(1, ordering: .acquiringAndReleasing).newValue != 1 { overlaps.update { $0 += 1 } }
            seen.append(number)
            running.subtract(1, ordering: .acquiringAndReleasing)
        })
        DispatchQueue.concurrentPerform(iterations: 1000) { number in post(number) }
        try await eventually("all notifications were delivered") { seen.value.count == 1000 }
        #expect(seen.value.sorted() == Array(0..<1000))
        #expect(overlaps.value == 0)
        subscription.dispose()
    }

    private func numbers(from object: AnyObject? = nil) -> Observable<Int> {
        center.rx.notification(name, object: object).map { $0.userInfo?["number"] as? Int ?? -1 }
    }

    private func post(_ number: Int, from object: AnyObject? = nil) {
        center.post(name: name, object: object, userInfo: ["number": number])
    }
}
