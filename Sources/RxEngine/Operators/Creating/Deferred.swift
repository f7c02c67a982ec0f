extension ObservableType {
    /// An observable that `factory` makes anew for each subscription. An error thrown by it ends the sequence.
    ///
    ///     deferred { a }      what a does, an a of its own for each subscriber
    @preconcurrency
    @inlinable
    public static func deferred(
        _ factory: @escaping @Sendable () throws -> Observable<Element>
    ) -> Observable<Element> {
        Prelude(.deferred) { sink in
            let source: Observable<Element>
            do {
                source = try factory()
            } catch {
                if sink.live.isActive { sink.error(error) }
                return nil
            }
            return sink.live.isActive ? source : nil
        }
    }
}
