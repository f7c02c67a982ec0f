/// A sequence that drives what a program shows: it cannot fail, is delivered on the main scheduler, and shares one run
/// among its subscribers, of whom a new one first gets the latest element.
///
///     source                      --1--2--3--4-->
///     asDriver(), first           --1--2--3--4-->
///     asDriver(), second                .2-3--4-->
///
/// Where the compiler accepts `drive`, all of that holds.
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// The driver that this value stands for.
    public func asDriver() -> Driver<Element> {
        asSharedSequence()
    }
}

extension ObservableConvertibleType {
    /// This sequence as a driver; an error is replaced with an element and the end.
    ///
    ///     source                          --1--2--X
    ///     onErrorJustReturn: 0            --1--2--0|
    public func asDriver(onErrorJustReturn: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// This sequence as a driver; on an error it goes on with another.
    public func asDriver(onErrorDriveWith: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: onErrorDriveWith)
    }

    /// This sequence as a driver; on an error it goes on with the one that `onErrorRecover` makes of it.
    @preconcurrency
    public func asDriver(
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> Driver<Element>
    ) -> Driver<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// The relay as a driver.
    public func asDriver() -> Driver<Element> {
        asDriver(onErrorDriveWith: .empty())
    }
}

extension InfallibleType {
    /// This sequence as a driver.
    public func asDriver() -> Driver<Element> {
        asDriver(onErrorDriveWith: .empty())
    }
}
