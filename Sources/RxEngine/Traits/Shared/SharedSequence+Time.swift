extension SharedSequenceConvertibleType {
    /// At most one element every `dueTime`: the first at once, then the latest of each span or, where `latest` is
    /// false, the next one after it.
    ///
    ///     source                      -1-2-3------4--|
    ///     throttle(5 ticks)           -1----3-----4--|
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// The elements that none follows within `dueTime`.
    ///
    ///     source                      -1-2-3------4--|
    ///     debounce(3 ticks)           --------3---4--|
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// Everything `dueTime` later.
    ///
    ///     source                      -1-2-3-|
    ///     delay(2 ticks)              ---1-2-3-|
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }
}
