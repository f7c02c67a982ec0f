import FoundationEssentials
import RxEngine

/// A sequence whose events the calling thread waits for.
///
/// Each method starts a run of its own on the calling thread, sleeps until it knows its answer, and has freed the
/// source when it returns. On the main thread the wait serves the main queue and the main run loop, so that what a
/// source does on the main scheduler goes on. It must not be called where the source needs the waiting thread
/// otherwise: on the queue that the source emits on, or inside an action of the virtual scheduler that drives it. Made
/// for tests, scripts and the first lines of a program; a program that serves anyone subscribes.
public struct BlockingObservable<Element>: Sendable {
    let source: Observable<Element>
    let timeout: TimeInterval?
}

extension ObservableConvertibleType {
    /// This sequence, for a thread that waits.
    ///
    ///     try Observable.of(1, 2, 3).toBlocking().toArray()   // [1, 2, 3]
    ///
    /// - Parameter timeout: for how many seconds the whole of a wait may last. Then the source is disposed and the wait
    ///   fails with ``RxError/timeout``; where it is not positive, nothing is subscribed to at all. A source that keeps
    ///   the calling thread to itself is stopped at its next event.
    public func toBlocking(timeout: TimeInterval? = nil) -> BlockingObservable<Element> {
        BlockingObservable(source: asObservable(), timeout: timeout)
    }
}
