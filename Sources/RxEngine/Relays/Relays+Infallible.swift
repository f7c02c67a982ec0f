extension PublishRelay {
    /// The relay as a sequence that never fails.
    ///
    /// It never completes, either. The observer is called on the threads that accept elements.
    public func asInfallible() -> Infallible<Element> {
        Infallible(self)
    }
}

extension BehaviorRelay {
    /// The relay as a sequence that never fails.
    ///
    /// It never completes, either. The observer receives the value on the subscribing thread, and later elements on the
    /// threads that accept them.
    public func asInfallible() -> Infallible<Element> {
        Infallible(self)
    }
}

extension ReplayRelay {
    /// The relay as a sequence that never fails.
    ///
    /// It never completes, either. The observer receives the replayed elements on the subscribing thread, and later
    /// ones on the threads that accept them.
    public func asInfallible() -> Infallible<Element> {
        Infallible(self)
    }
}
