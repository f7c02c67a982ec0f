extension ObservableType {
    /// These elements, and then this sequence's, which is subscribed to once they have been told.
    ///
    ///     self            --1--2--|
    ///     startWith(9)    9-1--2--|
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        return Prelude(.startWith) { sink in
            for element in elements {
                sink.next(element)
                if !sink.live.isActive { return nil }
            }
            return source
        }
    }
}
