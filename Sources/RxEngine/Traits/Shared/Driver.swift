/// A sequence that drives a user interface.
///
/// It cannot fail, delivers on the main scheduler, and shares one run among its subscribers, to which it replays its
/// latest element.
///
///     source                      --1--2--3--4-->
///     asDriver(), first           --1--2--3--4-->
///     asDriver(), second                .2-3--4-->
///
/// The compiler accepts `drive` only for a sequence that keeps these promises.
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Converts this value to a driver.
    ///
    /// The driver completes with it. It delivers on the main scheduler.
    public func asDriver() -> Driver<Element> {
        asSharedSequence()
    }
}

extension ObservableConvertibleType {
    /// Converts this sequence to a driver that emits an element and completes in place of an error.
    ///
    ///     source                          --1--2--X
    ///     onErrorJustReturn: 0            --1--2--0|
    ///
    /// Otherwise it completes with this sequence. All events are delivered on the main thread.
    public func asDriver(onErrorJustReturn: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: onErrorJustReturn)
    }

    /// Converts this sequence to a driver that subscribes to another after an error.
    ///
    /// It completes with this sequence or, after an error, with the other. All events are delivered on the main thread.
    public func asDriver(onErrorDriveWith: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: onErrorDriveWith)
    }

    /// Converts this sequence to a driver that subscribes to the result of `onErrorRecover` after an error.
    ///
    /// It completes with this sequence or, after an error, with that result. `onErrorRecover` and the observer are
    /// called on the main thread.
    @preconcurrency
    public func asDriver(
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> Driver<Element>
    ) -> Driver<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// Converts the relay to a driver.
    ///
    /// It never completes, and delivers on the main thread.
    public func asDriver() -> Driver<Element> {
        asDriver(onErrorDriveWith: .empty())
    }
}

extension InfallibleType {
    /// Converts this sequence to a driver.
    ///
    /// It completes with this sequence, and delivers on the main thread.
    public func asDriver() -> Driver<Element> {
        asDriver(onErrorDriveWith: .empty())
    }
}
