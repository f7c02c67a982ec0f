import RxEngine

extension ObservableType {
    /// Shares one subscription, and replays the last `bufferSize` elements, also after it has ended.
    ///
    /// It is the former name of `share(replay:scope:)` with the scope `forever`.
    ///
    /// Completes and fails with the source. Subscribers are called on the source's thread, and receive replayed
    /// elements on their own.
    public func shareReplay(_ bufferSize: Int) -> Observable<Element> {
        share(replay: bufferSize, scope: .forever)
    }

    /// Shares one subscription, and replays the latest element while it runs: the former name of `share(replay: 1)`.
    ///
    /// Completes and fails with the source. Subscribers are called on the source's thread, and receive the replayed
    /// element on their own.
    public func shareReplayLatestWhileConnected() -> Observable<Element> {
        share(replay: 1)
    }
}
