/// The last link of a chain whose events go to an ``ObserverType``.
@usableFromInline
final class ObserverSink<Observer: ObserverType>: Sink<Observer.Element> {
    private let observer: Observer

    @usableFromInline
    init(_ observer: Observer, _ live: LiveSubscription) {
        self.observer = observer
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Observer.Element) {
        if live.isActive { observer.onNext(element) }
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
