extension PublishRelay {
    /// The relay, which never fails.
    public func asInfallible() -> Infallible<Element> {
        Infallible(self)
    }
}

extension BehaviorRelay {
    /// The relay, which never fails.
    public func asInfallible() -> Infallible<Element> {
        Infallible(self)
    }
}

extension ReplayRelay {
    /// The relay, which never fails.
    public func asInfallible() -> Infallible<Element> {
        Infallible(self)
    }
}
