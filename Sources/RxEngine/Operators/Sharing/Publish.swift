extension ObservableType {
    /// One run of this sequence for all subscribers, started by ``ConnectableObservable/connect()``; newcomers get what
    /// comes after them.
    ///
    ///     source                      --1--2--3--|
    ///     publish(), connected        --1--2--3--|
    ///     who subscribes at .              .--3--|
    ///
    /// After the end, and after the run was stopped, it can be connected again.
    @inlinable
    public func publish() -> ConnectableObservable<Element> {
        let source = asObservable()
        return ConnectableObservable(.publish, Stages { PublishStage(of: source) })
    }

    /// One run of this sequence for all subscribers, started by ``ConnectableObservable/connect()``; newcomers first
    /// get the last `bufferSize` elements.
    ///
    ///     source                      --1--2--3--|
    ///     replay(1), connected        --1--2--3--|
    ///     who subscribes at .              .2-3--|
    ///
    /// After the end, and after the run was stopped, it can be connected again and remembers nothing of the last run.
    @inlinable
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        precondition(bufferSize >= 0, "a replay remembers a number of elements, not \(bufferSize)")
        let source = asObservable()
        return ConnectableObservable(
            .replay, Stages { ReplayStage(of: source, ReplayAudience(capacity: bufferSize), isItsOwn: true) })
    }

    /// The same as ``replay(_:)`` for all elements of a run.
    @inlinable
    public func replayAll() -> ConnectableObservable<Element> {
        replay(.max)
    }
}
