/// A relay cannot receive a terminal event: completion is ignored, and an error stops a debug build and is printed by a
/// release build.
extension ObservableType {
    /// Delivers each element to relays.
    ///
    /// Completion is ignored. An error stops a debug build, and a release build prints it. Dropping the returned
    /// disposable cancels nothing.
    /// The relays accept it on the source's thread, one after the other.
    @inlinable
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Delivers each element to relays of optional elements.
    ///
    /// Completion is ignored. An error stops a debug build, and a release build prints it. Dropping the returned
    /// disposable cancels nothing.
    /// The relays accept it on the source's thread, one after the other.
    @inlinable
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Delivers each element to relays.
    ///
    /// Completion is ignored. An error stops a debug build, and a release build prints it. Dropping the returned
    /// disposable cancels nothing.
    /// The relays accept it on the source's thread, one after the other.
    @inlinable
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Delivers each element to relays of optional elements.
    ///
    /// Completion is ignored. An error stops a debug build, and a release build prints it. Dropping the returned
    /// disposable cancels nothing.
    /// The relays accept it on the source's thread, one after the other.
    @inlinable
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Delivers each element to relays.
    ///
    /// Completion is ignored. An error stops a debug build, and a release build prints it. Dropping the returned
    /// disposable cancels nothing.
    /// The relays accept it on the source's thread, one after the other.
    @inlinable
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }

    /// Delivers each element to relays of optional elements.
    ///
    /// Completion is ignored. An error stops a debug build, and a release build prints it. Dropping the returned
    /// disposable cancels nothing.
    /// The relays accept it on the source's thread, one after the other.
    @inlinable
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        bind(onNext: { element in for relay in relays { relay.accept(element) } })
    }
}
