import Foundation
import RxEngine

extension Reactive where Base: NotificationCenter {
    /// Emits the center's notifications of this name from this object; `nil` matches any.
    ///
    ///     NotificationCenter.default.rx.notification(Notification.Name("lights"))
    ///         .subscribe(onNext: { print($0.userInfo ?? [:]) })
    ///
    /// Never completes and never fails. Each subscription observes the center until it is disposed.
    ///
    /// A notification is delivered on the posting thread before `post` returns. If another thread, or an outer `post`
    /// of this thread, is delivering to the same subscriber, that one delivers it next instead, so that deliveries
    /// never overlap.
    ///
    /// - Parameters:
    ///   - name: the name of the notifications.
    ///   - object: the object that posts them. It is not retained; nothing is emitted after it was deallocated.
    public func notification(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
        guard let object else { return observable { $0.observe(name, nil, with: $1) } }
        return observable { [weak object] in
            // The object was deallocated. Passing `nil` instead would match the notifications of any object.
            guard let object else { return Disposables.create() }
            return $0.observe(name, object, with: $1)
        }
    }

    private func observable(
        _ observe: @escaping (NotificationCenter, NotificationDelivery) -> any Disposable
    ) -> Observable<Notification> {
        let center = base
        return .source(onTrampoline: false) { observe(center, NotificationDelivery(to: $0)) }
    }
}

extension NotificationCenter {
    fileprivate func observe(
        _ name: Notification.Name?, _ object: AnyObject?, with delivery: NotificationDelivery
    ) -> any Disposable {
        let token = addObserver(forName: name, object: object, queue: nil) { delivery.post($0) }
        return NotificationObservation(center: self, token: token)
    }
}

// Unchecked: the token is only passed back to its center, which any thread may do.
/// Removes an observer from its center.
private struct NotificationObservation: Disposable, @unchecked Sendable {
    let center: NotificationCenter
    let token: any NSObjectProtocol

    func dispose() {
        center.removeObserver(token)
    }
}

// Unchecked: only one thread at a time calls the sink.
/// Delivers notifications from any thread to a sink, one at a time.
private final class NotificationDelivery: @unchecked Sendable {
    private let sink: Sink<Notification>
    private let drain = SerializedDrain()

    init(to sink: Sink<Notification>) {
        self.sink = sink
    }

    func post(_ notification: Notification) {
        drain.run { if self.sink.live.isActive { self.sink.next(notification) } }
    }
}
