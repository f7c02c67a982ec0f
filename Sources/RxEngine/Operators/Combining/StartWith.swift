extension ObservableType {
    /// Emits `elements` first, and then the elements of this sequence.
    ///
    ///     self            --1--2--|
    ///     startWith(9)    9-1--2--|
    ///
    /// The elements are emitted during the subscription, on its thread; then this sequence is subscribed to. The result
    /// completes and fails with this sequence.
    /// Later events are delivered on the threads on which this sequence emits them.
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        return Redirect(.startWith) { sink in
            for element in elements {
                sink.next(element)
                if !sink.live.isActive { return nil }
            }
            return source
        }
    }
}
