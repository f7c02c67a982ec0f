/// A sequence of what happens in a program: as a ``Driver``, but a new subscriber gets only what comes after it.
///
///     source                      --1--2--3--4-->
///     asSignal(), first           --1--2--3--4-->
///     asSignal(), second                .--3--4-->
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// The signal that this value stands for.
    public func asSignal() -> Signal<Element> {
        asSharedSequence()
    }
}

extension ObservableConvertibleType {
    /// This sequence as a signal; an error is replaced with an element and the end.
    ///
    ///     source                          --1--2--X
    ///     onErrorJustReturn: 0            --1--2--0|
    public func asSignal(onErrorJustReturn: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// This sequence as a signal; on an error it goes on with another.
    public func asSignal(onErrorSignalWith: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: onErrorSignalWith)
    }

    /// This sequence as a signal; on an error it goes on with the one that `onErrorRecover` makes of it.
    @preconcurrency
    public func asSignal(
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> Signal<Element>
    ) -> Signal<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension PublishRelay {
    /// The relay as a signal.
    public func asSignal() -> Signal<Element> {
        asSignal(onErrorSignalWith: .empty())
    }
}
