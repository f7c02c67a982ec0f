extension ObservableType {
    /// The one element of this sequence, told when it ends.
    ///
    ///     source        --x---|
    ///     asSingle()    ------x|
    ///
    /// Without an element it fails with ``RxError/noElements`` at the end, with more than one it fails with
    /// ``RxError/moreThanOneElement`` at the second.
    @inlinable
    public func asSingle() -> Single<Element> {
        Single(raw: asObservable().lift(.asSingle) { OnlyElementSink(.asSingle, to: $0, orElse: .noElements) })
    }

    /// The one element of this sequence, told when it ends, if it has one.
    ///
    ///     source       --x---|
    ///     asMaybe()    ------x|
    ///
    /// With more than one it fails with ``RxError/moreThanOneElement`` at the second.
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: asObservable().lift(.asMaybe) { OnlyElementSink(.asMaybe, to: $0, orElse: nil) })
    }
}

extension ObservableType where Element == Never {
    /// The same sequence, under the type that says that it has no elements.
    @inlinable
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}

/// Holds the element back until it is known to be the only one.
@usableFromInline
final class OnlyElementSink<Element>: OperatorSink<Element, Element> {
    /// What to fail with where there is no element.
    private let missing: RxError?
    private var held: Element?
    private var hasFailed = false

    @usableFromInline
    init(_ operation: Operator, to downstream: Sink<Element>, orElse missing: RxError?) {
        self.missing = missing
        super.init(operation, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard !hasFailed else { return }
        guard held != nil else { return held = element }
        hasFailed = true
        held = nil
        downstream.error(RxError.moreThanOneElement)
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard !hasFailed else { return }
        held = nil
        downstream.error(error)
    }

    @usableFromInline
    override func completed() {
        guard !hasFailed, live.isActive else { return }
        if let element = held.take() {
            downstream.next(element)
            if live.isActive { downstream.completed() }
        } else if let missing {
            downstream.error(missing)
        } else {
            downstream.completed()
        }
    }
}
