/// The boundary sink that passes events to an ``ObserverType``.
///
/// `deliverNext` calls the observer with an element. It is compiled where the observer's type is known; here, an
/// element would become an ``Event``, whose size the runtime would have to look up. It captures nothing, so it costs no
/// object.
@usableFromInline
final class ObserverSink<Observer: ObserverType>: Sink<Observer.Element> {
    private let observer: Observer
    private let deliverNext: (Observer, Observer.Element) -> Void

    @usableFromInline
    init(
        _ observer: Observer, _ live: LiveSubscription, deliverNext: @escaping (Observer, Observer.Element) -> Void
    ) {
        self.observer = observer
        self.deliverNext = deliverNext
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Observer.Element) {
        if live.isActive { deliverNext(observer, element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        live.fail(error) { observer.onError(error) }
    }

    @usableFromInline
    override func completed() {
        live.end { observer.onCompleted() }
    }
}
