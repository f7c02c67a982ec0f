extension ObservableType {
    /// Shares one run of this sequence among all subscribers, which receive the events after their subscription.
    ///
    ///     source                      --1--2--3--|
    ///     publish(), connected        --1--2--3--|
    ///     subscribed at .                  .--3--|
    ///
    /// ``ConnectableObservable/connect()`` starts the run. After the sequence has completed or failed, and after the
    /// run was stopped, it can be connected again. Subscribers are called on the thread that this sequence emits on.
    ///
    /// - Returns: the shared sequence.
    /// - Complexity: O(*n*) for each element, with *n* subscribers.
    @inlinable
    public func publish() -> ConnectableObservable<Element> {
        let source = asObservable()
        return ConnectableObservable(.publish, ConnectionSlot { PublishConnection(of: source) })
    }

    /// Shares one run of this sequence among all subscribers, which first receive its last `bufferSize` elements.
    ///
    ///     source                      --1--2--3--|
    ///     replay(1), connected        --1--2--3--|
    ///     subscribed at .                  .2-3--|
    ///
    /// ``ConnectableObservable/connect()`` starts the run. After the sequence has completed or failed, and after the
    /// run was stopped, it can be connected again, with an empty buffer. Subscribers are called on the thread that this
    /// sequence emits on, and receive the replayed elements on the thread that subscribes.
    ///
    /// - Parameter bufferSize: the number of elements; a negative one traps.
    /// - Returns: the shared sequence.
    /// - Complexity: O(*n*) for each element, with *n* subscribers; subscribing takes time in proportion to the
    ///   replayed elements.
    @inlinable
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        precondition(bufferSize >= 0, "replay(_:): the buffer size must not be negative, but is \(bufferSize)")
        let source = asObservable()
        return ConnectableObservable(
            .replay,
            ConnectionSlot {
                ReplayConnection(of: source, ReplaySubscriberList(capacity: bufferSize), ownsSubscribers: true)
            })
    }

    /// Shares one run of this sequence among all subscribers, which first receive all its elements so far.
    ///
    ///     source                      --1--2--3--|
    ///     replayAll(), connected      --1--2--3--|
    ///     subscribed at .                  .123--|
    ///
    /// Otherwise the same as ``replay(_:)``: it completes and fails with the source, and can be connected again then. The
    /// buffer grows without bound.
    ///
    /// - Returns: the shared sequence.
    /// - Complexity: Subscribing takes time in proportion to the number of elements so far.
    @inlinable
    public func replayAll() -> ConnectableObservable<Element> {
        replay(.max)
    }
}
