// Unchecked: it has no mutable state of its own.
/// A ``PublishSubject`` that never ends: it accepts only elements.
///
///     accept      --1--2-----3-->
///     first       --1--2-----3-->
///     second            .----3-->
///
/// Any thread may call ``accept(_:)``, but no two at once. Subscribers are called on that thread. An element that a
/// subscriber accepts while it receives one is delivered at once: later subscribers receive it before the first one.
public final class PublishRelay<Element>: Observable<Element>, @unchecked Sendable {
    private let subscribers = SubscriberList()

    /// Makes a relay without subscribers.
    public init() {
        super.init(.publishSubject)
    }

    deinit {
        Unmanaged.passUnretained(subscribers)._withUnsafeGuaranteedRef { $0.disposeInDeinit() }
    }

    /// Always `false`: subscribing starts no source.
    public override var startsOnTrampoline: Bool { false }

    /// Delivers `element` to every subscriber, on this thread.
    ///
    /// - Complexity: O(*n*) with *n* subscribers.
    public func accept(_ element: Element) {
        subscribers.next(element)
    }

    /// Subscribes `sink`.
    ///
    /// It receives the elements that are accepted from now on, on the threads that accept them.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        subscribers.subscription(subscribers.add(sink, to: self))
    }
}
