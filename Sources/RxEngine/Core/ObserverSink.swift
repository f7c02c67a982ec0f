/// The last link of a chain whose events go to an ``ObserverType``.
///
/// `handNext` calls the observer. It is compiled where its type is known: here, an element would be made an ``Event``,
/// whose size the runtime would have to be asked for. It captures nothing, so it costs no object.
@usableFromInline
final class ObserverSink<Observer: ObserverType>: Sink<Observer.Element> {
    private let observer: Observer
    private let handNext: (Observer, Observer.Element) -> Void

    @usableFromInline
    init(
        _ observer: Observer, _ live: LiveSubscription, handNext: @escaping (Observer, Observer.Element) -> Void
    ) {
        self.observer = observer
        self.handNext = handNext
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Observer.Element) {
        if live.isActive { handNext(observer, element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end { observer.onError(error) }
    }

    @usableFromInline
    override func completed() {
        end { observer.onCompleted() }
    }
}
