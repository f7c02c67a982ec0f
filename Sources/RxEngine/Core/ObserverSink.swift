/// The last link of a chain whose events go to an ``ObserverType``.
final class ObserverSink<Observer: ObserverType>: Sink<Observer.Element> {
    private let observer: Observer

    init(_ observer: Observer, _ live: LiveSubscription) {
        self.observer = observer
        super.init(live)
    }

    override func next(_ element: Observer.Element) {
        if live.isActive { observer.onNext(element) }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        observer.onError(error)
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        observer.onCompleted()
        live.dispose()
    }
}
