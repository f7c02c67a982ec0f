/// A sequence of events of a program: like a ``Driver``, but it replays nothing to a new subscriber.
///
///     source                      --1--2--3--4-->
///     asSignal(), first           --1--2--3--4-->
///     asSignal(), second                .--3--4-->
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Converts this value to a signal.
    ///
    /// The signal completes with it. It delivers on the main scheduler.
    public func asSignal() -> Signal<Element> {
        asSharedSequence()
    }
}

extension ObservableConvertibleType {
    /// Converts this sequence to a signal that emits an element and completes in place of an error.
    ///
    ///     source                          --1--2--X
    ///     onErrorJustReturn: 0            --1--2--0|
    ///
    /// Otherwise it completes with this sequence. All events are delivered on the main thread.
    public func asSignal(onErrorJustReturn: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// Converts this sequence to a signal that subscribes to another after an error.
    ///
    /// It completes with this sequence or, after an error, with the other. All events are delivered on the main thread.
    public func asSignal(onErrorSignalWith: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: onErrorSignalWith)
    }

    /// Converts this sequence to a signal that subscribes to the result of `onErrorRecover` after an error.
    ///
    /// It completes with this sequence or, after an error, with that result. `onErrorRecover` and the observer are
    /// called on the main thread.
    @preconcurrency
    public func asSignal(
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> Signal<Element>
    ) -> Signal<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension PublishRelay {
    /// Converts the relay to a signal.
    ///
    /// It never completes, and delivers on the main thread.
    public func asSignal() -> Signal<Element> {
        asSignal(onErrorSignalWith: .empty())
    }
}
