extension ObservableConvertibleType {
    /// This sequence, shared and delivered on the strategy's scheduler; an error is replaced with an element and the
    /// end.
    ///
    ///     source                          --1--2--X
    ///     onErrorJustReturn: 0            --1--2--0|
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn: Element
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(asObservable().observe(on: Strategy.scheduler).catchAndReturn(onErrorJustReturn))
    }

    /// This sequence, shared and delivered on the strategy's scheduler; on an error it goes on with another.
    ///
    ///     source                          --1--2--X
    ///     onErrorDriveWith                       --8--9-->
    ///     result                          --1--2----8--9-->
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorDriveWith: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        asSharedSequence { _ in onErrorDriveWith }
    }

    /// This sequence, shared and delivered on the strategy's scheduler; on an error it goes on with the one that
    /// `onErrorRecover` makes of it.
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
