extension ObservableType {
    /// Emits the only element of this sequence when it completes.
    ///
    ///     source        --x---|
    ///     asSingle()    ------x|
    ///
    /// The single fails with ``RxError/noElements`` if the sequence completes without an element, and with
    /// ``RxError/moreThanOneElement`` at its second element. An error passes.
    /// The outcome is delivered on the sequence's thread.
    @inlinable
    public func asSingle() -> Single<Element> {
        Single(raw: asObservable().lift(.asSingle) { OnlyElementSink(.asSingle, to: $0, orElse: .noElements) })
    }

    /// Emits the only element of this sequence, if it has one, when it completes.
    ///
    ///     source       --x---|
    ///     asMaybe()    ------x|
    ///
    /// The maybe fails with ``RxError/moreThanOneElement`` at a second element. An error passes.
    /// It completes without an element if the sequence has none. The outcome is delivered on the sequence's thread.
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: asObservable().lift(.asMaybe) { OnlyElementSink(.asMaybe, to: $0, orElse: nil) })
    }
}

extension ObservableType where Element == Never {
    /// Converts a sequence that emits no elements to a completable.
    ///
    /// It completes and fails when the sequence does.
    /// The outcome is delivered on the sequence's thread.
    @inlinable
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}

/// Holds the element until the source completes without a second one.
@usableFromInline
final class OnlyElementSink<Element>: OperatorSink<Element, Element> {
    /// The error for a source that completes without an element, `nil` if it may.
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
