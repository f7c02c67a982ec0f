import Foundation
import RxEngine

extension Reactive where Base: NotificationCenter {
    /// The center's notifications of this name, from this object: `nil` stands for any.
    ///
    ///     NotificationCenter.default.rx.notification(Notification.Name("lights"))
    ///         .subscribe(onNext: { print($0.userInfo ?? [:]) })
    ///
    /// Never ends. Each subscription observes the center until it is disposed. An element is delivered before `post`
    /// returns, except where another thread, or an outer `post` of this thread, is busy delivering: then that one
    /// delivers it next, so that no two deliveries to one subscriber overlap. The object is not kept alive; once it is
    /// gone nothing more can come of it.
    public func notification(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
        guard let object else { return observable { $0.observe(name, nil, with: $1) } }
        return observable { [weak object] in
            // To ask for nobody's notifications would be to ask for everybody's.
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

// Unchecked: the token is only handed back to its center, which may be done from any thread.
/// A place in a center's list.
private struct NotificationObservation: Disposable, @unchecked Sendable {
    let center: NotificationCenter
    let token: any NSObjectProtocol

    func dispose() {
        center.removeObserver(token)
    }
}

// Unchecked: the sink is called by one thread at a time.
/// Brings notifications from any number of threads to a sink one after the other.
private final class NotificationDelivery: @unchecked Sendable {
    private let sink: Sink<Notification>
    private let gate = Gate()

    init(to sink: Sink<Notification>) {
        self.sink = sink
    }

    func post(_ notification: Notification) {
        gate.pass { if self.sink.live.isActive { self.sink.next(notification) } }
    }
}
