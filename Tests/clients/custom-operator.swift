// modes: 5 6
// The custom operators of the seed documents. In Swift 6 mode the compiler requires a generic element that a closure
// captures to be `Sendable`, since otherwise it could cross threads with the closure.
import RxEngine

func myJust<E: Sendable>(_ element: E) -> Observable<E> {
    Observable.create { observer in
        observer.on(.next(element))
        observer.on(.completed)
        return Disposables.create()
    }
}

func myFrom<E: Sendable>(_ sequence: [E]) -> Observable<E> {
    Observable.create { observer in
        for element in sequence { observer.on(.next(element)) }
        observer.on(.completed)
        return Disposables.create()
    }
}

extension ObservableType {
    func myMap<R>(transform: @escaping @Sendable (Element) -> R) -> Observable<R> {
        let source = asObservable()
        return Observable.create { observer in
            source.subscribe { event in
                switch event {
                case .next(let value): observer.on(.next(transform(value)))
                case .error(let error): observer.on(.error(error))
                case .completed: observer.on(.completed)
                }
            }
        }
    }
}

func carelessJust<E>(_ element: E) -> Observable<E> {
    Observable.create { observer in
        observer.on(.next(element))  // warning 6: capture of 'element' with non-Sendable type 'E'
        observer.on(.completed)
        return Disposables.create()
    }
}

/// A custom operator made in the way of the engine's own operators.
final class EverySecond<Element>: OperatorSink<Element, Element> {
    private var isOdd = false

    override func next(_ element: Element) {
        isOdd.toggle()
        if !isOdd { downstream.next(element) }
    }
}

extension ObservableType {
    func everySecond() -> Observable<Element> {
        asObservable().lift { EverySecond(to: $0) }
    }
}
