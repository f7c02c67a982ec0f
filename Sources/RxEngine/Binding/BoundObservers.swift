/// Several observers as one. It converts each element for them.
struct BoundObservers<Element, Observer: ObserverType>: ObserverType {
    private let observers: [Observer]
    private let convert: (Element) -> Observer.Element

    init(_ observers: [Observer], _ convert: @escaping (Element) -> Observer.Element) {
        self.observers = observers
        self.convert = convert
    }

    func on(_ event: Event<Element>) {
        for observer in observers { observer.on(event.map(convert)) }
    }
}
