extension ObservableType {
    /// Emits the elements that arrive while the latest element of `gate` is true, and drops the others.
    ///
    ///     source            --1--2--3--4--5--|
    ///     gate              ----t-----f---t---
    ///     pausable(gate)    -----2--------5--|
    ///
    /// The gate is closed until it emits; its completion leaves it as it is. Completes with the source. Fails with the
    /// first error of either.
    /// The observer is called on the source's thread.
    @inlinable
    public func pausable(_ gate: some ObservableType<Bool>) -> Observable<Element> {
        withLatestFrom(gate) { element, isOpen -> Element? in isOpen ? element : nil }.unwrap()
    }
}
