extension ObservableConvertibleType {
    /// Converts to a shared sequence of a strategy that emits an element and completes in place of an error.
    ///
    ///     source                          --1--2--X
    ///     onErrorJustReturn: 0            --1--2--0|
    ///
    /// Otherwise it completes with this sequence. All events are delivered on the strategy's scheduler.
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catchAndReturn(onErrorJustReturn))
    }

    /// Converts to a shared sequence of a strategy that subscribes to another after an error.
    ///
    ///     source                          --1--2--X
    ///     onErrorDriveWith                       --8--9-->
    ///     result                          --1--2----8--9-->
    ///
    /// It completes with this sequence or, after an error, with the other. All events are delivered on the strategy's
    /// scheduler.
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        asSharedSequence { _ in onErrorDriveWith }
    }

    /// Converts to a shared sequence of a strategy that subscribes to the result of `onErrorRecover` after an error.
    ///
    /// It completes with this sequence or, after an error, with that result. `onErrorRecover` and the observer are
    /// called on the strategy's scheduler.
    @preconcurrency
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover: @escaping @Sendable (_ error: any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(
            asObservable().observe(on: Strategy.scheduler).catch { onErrorRecover($0).asObservable() }
        )
    }
}
