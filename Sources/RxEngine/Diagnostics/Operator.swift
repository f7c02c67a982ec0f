/// The operators, by name: what observables and running chains are counted by.
public enum Operator: UInt16, CaseIterable, Sendable {
    /// An observable or a sink of a program's own.
    case custom
    case asObservable
    // Creating
    case amb, asyncSequence, combineLatest, concat, create, deferred, empty, error, from, generate, interval, just,
        merge
    case never, of, range, repeatElement, timer, using, zip
    // Transforming
    case buffer, compactMap, concatMap, decode, dematerialize, enumerated, flatMap, flatMapFirst, flatMapLatest, groupBy
    case map, materialize, reduce, scan, toArray, window, withUnretained, pairwise, timestamp
    // Filtering
    case asMaybe, asSingle, distinctUntilChanged, elementAt, filter, first, ifEmpty, ignoreElements, single, skip
    case skipUntil, skipWhile, take, takeLast, takeUntil, takeWhile
    // Combining
    case sample, startWith, switchLatest, withLatestFrom
    // Time
    case debounce, delay, delaySubscription, throttle, timeout
    // Errors
    case catchError, retry, retryWhen
    // Sharing
    case multicast, publish, refCount, replay, share
    // Elsewhere, and to look at
    case charged, debug, `do`, observeOn, subscribeOn, checkpoint, tag
    // Subjects
    case asyncSubject, behaviorSubject, publishSubject, replaySubject
    // What is subscribed to on the main thread
    case control
}
