import FoundationEssentials
import RxEngine

/// A sequence whose events the calling thread waits for.
///
/// Each method starts its own run on the calling thread, sleeps until it has its result, and has disposed the source
/// when it returns. While the main thread waits it serves the main queue and the main run loop, so that the source can
/// use the main scheduler.
///
/// Do not call it if the source needs the waiting thread in another way: on the queue that the source emits on, or
/// inside an action of the virtual scheduler that drives the source. It is made for tests, scripts and the first lines
/// of a program; a program that serves requests subscribes.
/// Inside an action of `CurrentThreadScheduler`, a run that would be queued behind that action starts on another thread
/// instead.
public struct BlockingObservable<Element>: Sendable {
    let source: Observable<Element>
    let timeout: TimeInterval?
}

extension ObservableConvertibleType {
    /// Converts the sequence to one that a thread can wait for.
    ///
    ///     try Observable.of(1, 2, 3).toBlocking().toArray()   // [1, 2, 3]
    ///
    /// - Parameter timeout: the longest time to wait, in seconds. After it the source is disposed, and the call that
    ///   waits fails with `RxError.timeout`. If it is not positive, the call fails without subscribing. A source that
    ///   emits on the calling thread itself is stopped at its next event.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(source: asObservable(), timeout: timeout)
    }
}
