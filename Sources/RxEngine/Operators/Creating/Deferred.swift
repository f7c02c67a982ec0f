extension ObservableType {
    /// Makes an observable that calls `factory` for each subscription, and runs the observable that it returns.
    ///
    ///     a                   --1--2--|
    ///     deferred { a }      --1--2--|       makes an a for each subscription
    ///
    /// Completes and fails with that observable. Fails with the error that `factory` throws.
    /// `factory` runs on the subscribing thread; the events arrive on the threads of the observable that it returns.
    @preconcurrency
    @inlinable
    public static func deferred(
        _ factory: @escaping @Sendable () throws -> Observable<Element>
    ) -> Observable<Element> {
        Redirect(.deferred) { sink in
            let source: Observable<Element>
            do {
                source = try factory()
            } catch {
                if sink.live.isActive { sink.error(Hooks.thrown(error, in: .deferred)) }
                return nil
            }
            return sink.live.isActive ? source : nil
        }
    }
}
