/// The kinds of observables, and of links in running chains, that are counted separately.
///
/// An operator without a case of its own has the case of the one that implements it: `ignore` is counted as ``filter``.
public enum Operator: UInt16, CaseIterable, Sendable {
    /// An observable or a sink that the program defines.
    case custom
    /// A conversion to an observable.
    case asObservable
    /// An operator that makes a sequence, or combines several.
    case amb, asyncSequence, combineLatest, concat, create, deferred, empty, error, from, generate, interval, just,
        merge
    /// An operator that makes a sequence, or combines several.
    case concatEager, expand, never, of, range, `repeat`, repeatElement, repeatWhen, timer, using, zip
    /// An operator that transforms elements.
    case buffer, compactMap, concatMap, decode, dematerialize, enumerated, flatMap, flatMapFirst, flatMapLatest, groupBy
    /// An operator that transforms elements.
    case cast, concatMapEager, mapAsync, mapTo, switchOnFirst, timeInterval, unwrap
    /// An operator that transforms elements.
    case map, materialize, reduce, scan, toArray, window, withUnretained, pairwise, timestamp
    /// A conversion to a trait, or an operator that drops elements.
    case asMaybe, asSingle, distinctUntilChanged, elementAt, filter, first, ifEmpty, ignoreElements, single, skip
    /// An operator that drops elements.
    case distinct, pausableBuffered, skipLast, skipUntil, skipWhile, take, takeLast, takeUntil, takeWhile
    /// An operator that combines sequences.
    case sample, startWith, switchLatest, withLatestFrom
    /// An operator that depends on time.
    case auditTime, debounce, delay, delaySubscription, throttle, timeout
    /// An operator that handles errors.
    case catchError, retry, retryWhen
    /// An operator that shares a subscription.
    case multicast, publish, refCount, replay, share
    /// An operator that changes the thread, or that observes, counts or names what passes.
    case charged, counted, debug, `do`, observeOn, onTerminateDetach, serialized, subscribeOn, checkpoint, tag
    /// A subject or relay.
    case asyncSubject, behaviorSubject, publishSubject, replaySubject
    /// An observable that is subscribed to on the main thread.
    case control
}

extension Operator {
    /// The names of all cases, by number. To make one takes a search of the type's metadata.
    private static let names = allCases.map { "\($0)" }

    /// The name of the case.
    var name: String { Self.names[Int(rawValue)] }
}
